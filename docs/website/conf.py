"""Settings of Sphinx; docs/decisions/0050-a-site.md has the reasons."""

from groupwise import __version__

project = "groupwise"
author = "the groupwise contributors"
version = release = __version__
extensions = [
    "myst_nb",
    "sphinx_copybutton",
    "docs.website.access",
    "docs.website.links",
    "docs.website.mathml",
    "docs.website.objects",
]

# Markdown as GitHub shows it
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4
smartquotes = False  # options and code are typed as they are shown
nb_execution_mode = "off"

html_theme = "furo"
html_title = f"groupwise {release}"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_last_updated_fmt = None
html_theme_options = {"navigation_with_keys": False}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

# `$ ` and what a command prints are not copied
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"
