"""The documentation as a site: `python -m docs.website` builds it from the Markdown of docs/."""
