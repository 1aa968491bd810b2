"""Which rules apply: selection, project settings, baselines."""
