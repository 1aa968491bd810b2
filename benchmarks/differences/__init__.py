"""Edge cases in other evaluators and in groupwise, and the page about them."""
