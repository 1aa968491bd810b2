"""Bytes to batches of records: sources, detection, JSON, tables, editing, writing."""
