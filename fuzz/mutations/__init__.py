"""Mutations of files: of bytes, of JSON, of lines of cells, of tables.

`seeds` has the files to start from, `mutate` chooses what to do to one of them.
"""
