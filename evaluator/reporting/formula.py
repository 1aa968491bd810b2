"""Formulas for a terminal: LaTeX as a line of plain text."""

import re
from collections.abc import Iterator

SIGN_OF = {
    r"\sum": "Σ", r"\le": "≤", r"\ge": "≥", r"\in": "∈", r"\cdot": "·", r"\exists": "∃ ",
    r"\forall": "∀ ", r"\min": "min", r"\max": "max", r"\log": "log", r"\quad": " ", r"\,": " ",
    r"\ ": " ", r"\left": "", r"\right": "", r"\prod": "Π", r"\infty": "∞",
    r"\ldots": "…", r"\dots": "…", r"\neq": "≠", r"\cap": "∩", r"\cup": "\u222a",
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
    "C_gold": "C_gold = characters of the alternatives",
    "C_k": "C_k = characters of the first k results",
}


def format_formula(latex: str) -> str:
    r"""Return a formula on one line.

    >>> format_formula(r"\frac{1}{W}\sum_g w_g\,[\mathrm{first}(g) \le k]")
    '1/W Σ_g w_g [first(g) ≤ k]'
    """
    text = "".join(_read_signs(iter(SIGN.findall(latex))))
    return re.sub(r"\s+", " ", text).replace("( ", "(").replace(" )", ")").strip()


def _read_signs(signs: Iterator[str]) -> Iterator[str]:
    """Yield the signs up to the closing brace of the current group, or to the end."""
    for sign in signs:
        if sign == "}":
            return
        yield _read_sign(sign, signs)


def _read_sign(sign: str, signs: Iterator[str]) -> str:
    if sign == r"\frac":
        above, below = _read_group(signs), _read_group(signs)
        return f" {_join_fraction(_parenthesise(above), _parenthesise(below))} "
    if sign in WORDS or sign == "{":
        return "".join(_read_signs(signs)) if sign == "{" else _read_group(signs)
    if sign in "_^":
        return sign + _parenthesise(_read_group(signs))
    if sign.startswith("\\"):
        return SIGN_OF.get(sign, sign[1:])
    return sign


def _read_group(signs: Iterator[str]) -> str:
    """Return the group in the braces that follow, or a single sign."""
    sign = next(signs, "")
    return "".join(_read_signs(signs)).strip() if sign == "{" else _read_sign(sign, signs)


def _join_fraction(above: str, below: str) -> str:
    spaced = above.startswith("(") or below.startswith("(")
    return f"{above} / {below}" if spaced else f"{above}/{below}"


def _parenthesise(text: str) -> str:
    """Return the text in parentheses, unless it is a single word, call or count."""
    return text if re.fullmatch(r"[\w*]+(\(\w+\))?|\|[^|]*\|", text) else f"({text})"


def list_notation(formula: str) -> list[str]:
    """Return what the signs of a readable formula mean."""
    return [meaning for sign, meaning in NOTATION.items() if _occurs(sign, formula)]


def _occurs(sign: str, formula: str) -> bool:
    end = r"(?!\w)" if sign[-1].isalnum() else ""
    return re.search(rf"(?<!\w){re.escape(sign)}{end}", formula) is not None
