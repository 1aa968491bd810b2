"""A linter for grouped ground truth: rules, the engine that applies them, fixes, baselines."""
