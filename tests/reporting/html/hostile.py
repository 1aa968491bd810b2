"""Data that would act on a page, beside harmless data of the same shape."""

from typing import Any

SIGNS = (
    "<script>window.ran = 1</script>",
    '"onmouseover="window.ran=1" x="',
    "</script><script>window.ran=1</script>",
    "</style></title><img src=x onerror=window.ran=1>",
    "javascript:window.ran=1",
    "=cmd()",
    "\x1b[31mred\x1b]0;owned\x07",
    "a\u202egnp.exe\u2066",
    "[bold]x[/bold]",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;",
)


def build(sign: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return ground truth and a run with a sign in every text of theirs."""
    truth = {
        "id": f"{sign} q",
        "query": f"{sign} query",
        "ground_truth": [
            {"alternatives": [{"id": f"{sign} a", "text": f"{sign} gold"}], "label": f"{sign} l"},
            {"alternatives": [f"{sign} b"], "label": f"{sign} m"},
        ],
        "metadata": {"type": f"{sign} slice"},
    }
    run = {
        "id": f"{sign} q",
        "results": [{"id": f"{sign} a", "text": f"{sign} found"}, f"{sign} B"],
    }
    other = {"id": "~other", "ground_truth": [[f"{sign} b"]], "metadata": {"type": f"{sign} slice"}}
    return [truth, other], [run, {"id": "~other", "results": ["x"]}]
