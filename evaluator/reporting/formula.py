"""Formulas for a terminal: LaTeX in signs that a line of text has."""

import re
from collections.abc import Iterator

SIGN_OF = {
    r"\sum": "Σ", r"\le": "≤", r"\ge": "≥", r"\in": "∈", r"\cdot": "·", r"\exists": "∃ ",
    r"\forall": "∀ ", r"\min": "min", r"\max": "max", r"\log": "log", r"\quad": " ", r"\,": " ",
    r"\ ": " ", r"\left": "", r"\right": "", r"\prod": "Π", r"\infty": "∞",
    r"\ldots": "…", r"\dots": "…", r"\neq": "≠", r"\cap": "∩",
}  # fmt: skip
WORDS = (r"\mathrm", r"\text", r"\operatorname", r"\mathit")
SIGN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
NOTATION = {
    "n_k": "n_k = number of results, at most k",
    "W": "W = weight of all groups",
    "w_g": "w_g = weight of group g",
    "first(": "first(g) = rank of the first result that meets g",
    "r_i": "r_i = result at rank i",
    "m_g": "m_g = hits of g found",
    "rank_j": "rank_j(g) = rank of the j-th hit of g",
    "grade^*": "grade^*_i = i-th best grade listed",
    "grade_i": "grade_i = best grade of the result at rank i",
    "S": "S = number of alternatives listed",
}


def readable(latex: str) -> str:
    r"""A formula on one line.

    >>> readable(r"\frac{1}{W}\sum_g w_g\,[\mathrm{first}(g) \le k]")
    '1/W Σ_g w_g [first(g) ≤ k]'
    """
    text = "".join(_signs(iter(SIGN.findall(latex))))
    return re.sub(r"\s+", " ", text).replace("( ", "(").replace(" )", ")").strip()


def _signs(signs: Iterator[str]) -> Iterator[str]:
    """The signs up to the closing brace of the group that has been entered, or to the end."""
    for sign in signs:
        if sign == "}":
            return
        yield _sign(sign, signs)


def _sign(sign: str, signs: Iterator[str]) -> str:
    if sign == r"\frac":
        above, below = _group(signs), _group(signs)
        return f" {_over(_together(above), _together(below))} "
    if sign in WORDS or sign == "{":
        return "".join(_signs(signs)) if sign == "{" else _group(signs)
    if sign in "_^":
        return sign + _together(_group(signs))
    if sign.startswith("\\"):
        return SIGN_OF.get(sign, sign[1:])
    return sign


def _group(signs: Iterator[str]) -> str:
    """What stands in the braces that follow, or the one sign."""
    sign = next(signs, "")
    return "".join(_signs(signs)).strip() if sign == "{" else _sign(sign, signs)


def _over(above: str, below: str) -> str:
    spaced = above.startswith("(") or below.startswith("(")
    return f"{above} / {below}" if spaced else f"{above}/{below}"


def _together(text: str) -> str:
    """In parentheses, unless it is one word, one call or one number of elements."""
    return text if re.fullmatch(r"[\w*]+(\(\w+\))?|\|[^|]*\|", text) else f"({text})"


def notation(formula: str) -> list[str]:
    """What the signs of a readable formula stand for."""
    return [meaning for sign, meaning in NOTATION.items() if _occurs(sign, formula)]


def _occurs(sign: str, formula: str) -> bool:
    end = r"(?!\w)" if sign[-1].isalnum() else ""
    return re.search(rf"(?<!\w){re.escape(sign)}{end}", formula) is not None
