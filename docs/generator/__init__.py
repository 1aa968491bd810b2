"""The generated pages of the reference: each module builds one from the code."""
