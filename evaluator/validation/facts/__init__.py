"""What rules look at: a record as a case, plain records in bulk, the facts of a source."""
