"""From rows to a report: plan, partial results, single queries, fixtures, retrievers."""
