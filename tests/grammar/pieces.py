"""Generates types, attributes and locations as lists of tokens, most of them meaningful to MLIR."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import strategies as st

Pieces = st.SearchStrategy[list[str]]

_SIGILS = "!#%^@"
_WORD = re.compile(r"[\w$.]", re.ASCII)
_GAPS = (" ", "  ", "\n", " // note\n")


def written(tokens: list[str], gaps: list[str]) -> str:
    """Return `tokens` as text, with a gap between two that would merge and `gaps`, in turn, between others."""
    pieces = tokens[:1]
    for index, (before, after) in enumerate(pairwise(tokens)):
        gap = gaps[index % len(gaps)]
        pieces.append(gap if gap or not _would_merge(before, after) else " ")
        pieces.append(after)
    return "".join(pieces)


gaps = st.one_of(
    st.just([""]),
    st.just([" "]),
    st.lists(st.sampled_from(["", "", "", *_GAPS]), min_size=3, max_size=7),
)


def _would_merge(before: str, after: str) -> bool:
    if "x" in (before, after) and not before.isidentifier():
        return False
    if before == "x":
        return False
    if before[0] in _SIGILS and after[0] in "-<":
        return True
    if before == "-" and after[0] == ">":
        return True
    return _WORD.match(before[-1]) is not None and _WORD.match(after[0]) is not None


def _tokens(text: str) -> Pieces:
    return st.just(text.split())


def _sequence(*parts: str | Pieces) -> Pieces:
    strategies = [_tokens(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*strategies).map(lambda lists: [token for tokens in lists for token in tokens])


def _listed(items: Pieces, least: int = 0, most: int = 3) -> Pieces:
    return st.lists(items, min_size=least, max_size=most).map(
        lambda lists: [token for index, tokens in enumerate(lists) for token in ([","] if index else []) + tokens]
    )


def _maybe(part: Pieces) -> Pieces:
    return st.one_of(st.just([]), part)


def _one_of(*texts: str) -> Pieces:
    return st.sampled_from([text.split() for text in texts])


# Bodies of dialect types and attributes

_BODY_WORDS = (
    "a",
    "4",
    "x",
    "->",
    "-",
    ":",
    ",",
    " ",
    "=",
    "//",
    "'",
    '"s>"',
    r'"\"\41"',
    "é",
    "i32",
    "!b.c",
    "#d",
    "@e",
)
_body_text = st.lists(st.sampled_from(_BODY_WORDS), max_size=4).map("".join)
_body = st.recursive(
    _body_text,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        *(inner.map(f"{opener}{{}}{closer}".format) for opener, closer in ("<>", "()", "[]", ("{{", "}}"))),
    ),
    max_leaves=4,
)
_dialect_names = st.sampled_from(["foo.bar", "foo.bar.baz", "foo", "other$.x-y", "_a.b"])
_symbol_of_dialect = st.one_of(
    st.sampled_from(["foo.bar", "_a.b_c.d"]),
    st.tuples(_dialect_names, _body).map(lambda parts: f"{parts[0]}<{parts[1]}>"),
)

# Types

_integers = _one_of("i1", "i8", "i32", "i64", "si16", "ui8")
_floats = _one_of("f32", "f64", "f16", "bf16", "tf32", "f80", "f128", "f8E4M3FN", "f8E5M2", "f4E2M1FN", "f8E8M0FNU")
_scalars = st.one_of(_integers, _floats, _one_of("index"))
_dialect_types = _symbol_of_dialect.map(lambda symbol: [f"!{symbol}"])
_static_size = st.integers(0, 12).map(lambda size: [str(size)])
_positive_size = st.integers(1, 12).map(lambda size: [str(size)])


def _shape(size: Pieces, most: int = 3) -> Pieces:
    return st.lists(size, max_size=most).map(lambda sizes: [token for tokens in sizes for token in (*tokens, "x")])


_vectors = _sequence("vector <", _shape(st.one_of(_positive_size, _sequence("[", _positive_size, "]"))), _scalars, ">")
_complexes = _sequence("complex <", st.one_of(_integers, _floats), ">")
_buffer_elements = st.one_of(_scalars, _complexes, _vectors)
_elements = st.one_of(_buffer_elements, _dialect_types)
_dimensions = st.one_of(_shape(st.one_of(_static_size, _one_of("?"))), _one_of("* x"))


def _types(attributes: Pieces) -> Pieces:
    leaves = st.one_of(_scalars, _one_of("none"), _dialect_types, _vectors, _complexes)
    shaped = st.one_of(
        _sequence("tensor <", _dimensions, _elements, ">"),
        _sequence("tensor <", _shape(_static_size), _elements, ",", attributes, ">"),
        _sequence("memref <", _dimensions, _buffer_elements, ">"),
        _sequence("memref <", _shape(_static_size), _buffer_elements, ",", _memory_spaces, ">"),
        _sequence("memref < 4 x 4 x", _buffer_elements, ",", _layouts, _maybe(_sequence(",", _memory_spaces)), ">"),
    )
    return st.recursive(
        st.one_of(leaves, shaped),
        lambda inner: st.one_of(
            _sequence("tuple <", _listed(inner), ">"),
            _sequence("(", _listed(inner), ") -> (", _listed(inner), ")"),
            _sequence("(", _listed(inner), ") ->", leaves),
        ),
        max_leaves=4,
    )


_memory_spaces = _one_of("1", "3 : i32", '"gpu"', "{ a }")
_layouts = _one_of(
    "strided < [ 4 , 1 ] >",
    "strided < [ ? , -1 ] , offset : ? >",
    "affine_map < ( d0 , d1 ) -> ( d1 , d0 ) >",
    "affine_map < ( d0 , d1 ) [ s0 ] -> ( d0 * 4 + d1 + s0 ) >",
)

# Attributes

_numbers = st.one_of(
    st.integers(-100, 100).map(lambda value: ["-", str(-value)] if value < 0 else [str(value)]),
    _one_of("0x1F", "00", "1 : i32", "- 1 : i64", "7 : index", "1 : ui8"),
    _one_of("1.", "1.5 : f32", "- 2.0e-3", "1.e5 : f64", "0x7FC00000 : f32", "0.0 : bf16"),
)
_strings = _one_of('"a"', '""', r'"\n\41\"\\"', '"é>"', '"//"')
_names = st.sampled_from(["a", "b.c", "_d", "i32", "true", "x$y", '"e f"', "loc", "dense"])
_symbols = _one_of("@a", "@a : : @b", '@"x-y" :: @c', "@a::@b::@c")
_affine = _one_of(
    "affine_map < ( ) -> ( ) >",
    "affine_map < ( d0 , d1 ) [ s0 ] -> ( d0 + s0 floordiv 2 , - d1 mod 3 ) >",
    "affine_map < ( i , mod ) -> ( ( i ) * 4 - mod ceildiv 0x2 , 1 ) >",
    "affine_set < ( d0 ) [ s0 ] : ( d0 >= 0 , d0 - s0 == 0 , - d0 < = 7 ) >",
    "affine_set < ( ) : ( ) >",
)
_dense = st.one_of(
    _one_of(
        "dense < > : tensor < 0 x i32 >",
        "dense < 1 > : vector < 4 x i32 >",
        "dense < [ [ 1 , - 2 ] , [ 0x3 , 4 ] ] > : tensor < 2 x 2 x i32 >",
        "dense < [ 1.0 , - 2. ] > : tensor < 2 x f32 >",
        "dense < [ true , false ] > : tensor < 2 x i1 >",
        "dense < ( 1 , - 2 ) > : tensor < complex < i32 > >",
        'dense < "0x0102" > : tensor < 2 x i8 >',
        'dense < [ "a" , "b" ] > : tensor < 2 x !foo.s >',
        "sparse < [ [ 0 , 0 ] ] , [ 1 ] > : tensor < 1 x 1 x i32 >",
        "sparse < > : tensor < 4 x f32 >",
        "dense_resource < blob > : tensor < 4 x f32 >",
    ),
    _one_of("array < i32 >", "array < i8 : 1 , - 2 >", "array < f32 : 1.0 , - 2.5 >", "array < i1 : true , false >"),
)
_attribute_leaves = st.one_of(
    _one_of("unit", "true", "false"),
    _numbers,
    _numbers,
    _strings,
    _symbols,
    _affine,
    _dense,
    _layouts,
    _symbol_of_dialect.map(lambda symbol: [f"#{symbol}"]),
    _sequence(_symbol_of_dialect.map(lambda symbol: [f"#{symbol}"]), ":", _scalars),
)


def _entries(attributes: Pieces) -> Pieces:
    entry = st.tuples(_names, st.booleans(), attributes).map(
        lambda parts: [parts[0], "=", *parts[2]] if parts[1] else [parts[0]]
    )
    return st.lists(entry, max_size=3, unique_by=lambda tokens: tokens[0]).map(
        lambda lists: [token for index, tokens in enumerate(lists) for token in ([","] if index else []) + tokens]
    )


_identities = st.integers(0, 10**12).map(lambda identity: [str(identity)])


def _compound(inner: Pieces) -> Pieces:
    return st.one_of(
        _sequence("[", _listed(inner), "]"),
        _sequence("{", _entries(inner), "}"),
        _sequence("distinct [", _identities, "] <", _maybe(inner), ">"),
    )


_small_attributes = st.recursive(_attribute_leaves, _compound, max_leaves=3)
types = _types(_small_attributes)
attributes = st.one_of(
    _small_attributes,
    st.recursive(st.one_of(_attribute_leaves, types), _compound, max_leaves=5),
    _sequence(_strings, ":", types),
)

# Locations

_location_leaves = st.one_of(
    _one_of("unknown", '"a"', '"a" : 1 : 2', '"a" : 1 : 2 to 3 : 4', '"a" : 1 : 2 to : 4', '"a" : 0x1'),
)
_inner_locations = st.recursive(
    _location_leaves,
    lambda inner: st.one_of(
        _sequence('"n" (', inner, ")"),
        _sequence("fused", _maybe(_sequence("<", _small_attributes, ">")), "[", _listed(inner), "]"),
        _sequence("callsite (", inner, "at", inner, ")"),
    ),
    max_leaves=4,
)
locations = _sequence("loc (", _inner_locations, ")")

# Damage

_STRAY = (
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "=",
    "->",
    "-",
    "x",
    "4",
    "i32",
    "1.5",
    '"s"',
    "a",
    "?",
    "@a",
)


@st.composite
def damaged(draw: st.DrawFn, tokens: list[str]) -> list[str]:
    """Return `tokens` with one of them dropped, doubled, replaced, or swapped with the next one."""
    place = draw(st.integers(0, len(tokens) - 1))
    before, token, after = tokens[:place], tokens[place], tokens[place + 1 :]
    changes = [
        [*before, *after],
        [*before, token, token, *after],
        [*before, draw(st.sampled_from(_STRAY)), *after],
        [*before, *after[:1], token, *after[1:]],
    ]
    return draw(st.sampled_from(changes))
