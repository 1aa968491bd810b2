"""Edge cases run through other evaluators and through groupwise, and the page about them."""
