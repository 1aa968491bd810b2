import pytest

from groupwise.evaluator.metrics.registry import every_metric
from groupwise.evaluator.reporting.formula import format_formula, list_notation


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\min_g \mathrm{first}(g)", "min_g first(g)"),
        (r"\frac{2 \cdot a}{b}", "(2 · a) / b"),
        (r"\frac{1}{W}\sum_g w_g", "1/W Σ_g w_g"),
        (r"2^{\mathrm{grade}_i} - 1", "2^grade_i - 1"),
        (r"\frac{|\{r_i : i \le k\}|}{n_k}", "|{r_i : i ≤ k}|/n_k"),
        (r"\frac{\frac{1}{2}}{3}", "(1/2) / 3"),
    ],
)
def test_latex_on_one_line(latex: str, text: str) -> None:
    assert format_formula(latex) == text


@pytest.mark.parametrize(
    "latex", sorted({metric.formula for _, metric in every_metric()}), ids=lambda latex: latex[:20]
)
def test_every_formula_is_format_formula(latex: str) -> None:
    text = format_formula(latex)
    assert "\\" not in text
    assert text.count("(") == text.count(")")


def test_signs_are_explained_where_they_occur() -> None:
    assert list_notation("1/W Σ_g w_g") == ["W = weight of all groups", "w_g = weight of group g"]
    assert list_notation("Share") == []
