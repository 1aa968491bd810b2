"""Reports and comparisons as a page of HTML: one file that needs no network and no script.

Templates, style and script are in ``templates``. Every text that a template shows goes through the
sanitiser and is escaped (``environment``); what the pages show is built by one module per section.
"""
