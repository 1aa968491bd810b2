"""Reports as text: one module per form. Numbers are rounded here and nowhere else."""
