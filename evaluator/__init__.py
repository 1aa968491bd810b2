"""From ground truth and results to a report: formats, matching, hits, metrics, reporting."""
