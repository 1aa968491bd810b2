"""What rules look at: a record as a case, the facts of a source."""
