"""The generated pages of the reference: each module makes some of them from the code itself."""
