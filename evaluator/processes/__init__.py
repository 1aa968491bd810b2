"""Work in several processes: how many pay, what they are handed, how their results come back."""
