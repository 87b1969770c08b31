"""Encodings of sparse tensors: their keys, and the formats and properties of levels, of any version of MLIR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.literals import LiteralProblem
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from tdls.syntax.scanner import Tokens

_ENCODING = "#sparse_tensor.encoding"
_KEYS = ("map", "posWidth", "crdWidth", "dimSlices", "explicitVal", "implicitVal")
_FORMATS = ("dense", "batch", "compressed", "loose_compressed", "singleton", "structured", "block2_4")
_PROPERTIES = ("nonunique", "nonordered", "soa")


def encoding_problem(text: str) -> LiteralProblem | None:
    """Return the first unknown word in the encodings of an attribute, which is well-formed; takes linear time."""
    tokens = scanner.scan(text if _ENCODING in text else "")
    heads = (index for index in range(tokens.count - 2) if tokens.spellings[index] == _ENCODING)
    bodies = (index + 2 for index in heads if tokens.kinds[index + 2] == "{")
    return next(filter(None, (_unknown_word(tokens, it + 1, tokens.partners.get(it, 0)) for it in bodies)), None)


def _unknown_word(tokens: Tokens, start: int, end: int) -> LiteralProblem | None:
    """Check ``map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique)), ...``, the tokens from `start` to `end`."""
    depth, in_properties, kinds = 0, False, tokens.kinds
    for index in range(start, end):
        if kinds[index] in ("(", "["):
            in_properties = kinds[index] == "(" and depth > 0 and kinds[index - 1] in (scanner.IDENTIFIER, "]")
        depth += (kinds[index] in ("(", "[")) - (kinds[index] in (")", "]"))
        words: tuple[str, ...] = ()
        if depth > 0 and kinds[index - 1] == ":":
            words = _FORMATS
        elif depth == 0 and kinds[index + 1] == "=":
            words = _KEYS
        elif in_properties and kinds[index - 1] in ("(", ","):
            words = _PROPERTIES
        if words and kinds[index] == scanner.IDENTIFIER and tokens.spellings[index] not in words:
            return LiteralProblem(tokens.starts[index], enumerated([f"`{word}`" for word in words], "or"))
        in_properties &= kinds[index] != ")"
    return None
