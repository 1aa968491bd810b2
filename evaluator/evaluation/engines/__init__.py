"""Engines that cut an evaluation into parts, filled elsewhere, and merge what they found."""
