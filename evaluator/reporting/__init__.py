"""A report as text: one module per form. Rounding happens here and nowhere else."""
