"""Answers about a Python program after edits are those for the same text opened anew."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from samples import some
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.changes.code_actions import ActionKind, code_actions
from tdls.ide.changes.rename import prepare_rename
from tdls.ide.completion.completion import completion
from tdls.ide.completion.signature_help import signature_help
from tdls.ide.cursor.navigation import definition, references
from tdls.ide.document.code_lens import code_lenses
from tdls.ide.document.folding_range import folding_ranges
from tdls.ide.document.inlay_hint import inlay_hints
from tdls.ide.document.semantic_tokens import semantic_tokens
from tdls.ide.document.symbols import document_symbols
from tdls.ide.formatting.formatting import format_range
from tdls.ide.hover.hover import hover
from tdls.ide.snapshot import Snapshot
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.positions import LineIndex
from tdls.text.span import FileSpan

URI = "file:///schedule.py"
CATALOGUE = Catalogue.shipped()
SEQUENCE = "transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) {"
LINES = (
    "module attributes {transform.with_named_sequence} {",
    SEQUENCE,
    SEQUENCE.replace("{", "{{").replace("}", "}}"),
    '%m = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op',
    "transform.loop.unroll %m {factor = 2} : !transform.any_op",
    "transform.include @a failures(propagate) (%m) : (!transform.any_op) -> ()",
    "transform.yield",
    "}",
    "}}",
)
SIGNS = (
    '"', "'", '"""', "'''", "\\", "\n", "\r\n", "\r", "{", "}", "{{", "%", "%s", "%(name)s", "//", "#", "(", ")", "[",
    "]", " ", ":", ", ", "\v", "𝄞", "+", "f", "r", "b", ".format(", "transform.", "\\n", "\\x41", '\\"', "\\\n",
    "{name}", "{\n  name\n}", "{a[0]:>10}", "{f'{x}'}",
)  # fmt: skip
JOINS = (" ", "\n", "\n    ", " + ", "  # why\n", " \\\n", "; y = ", ")\n", ".format(name=1)\n", " % name\n")
BODIES = st.lists(st.sampled_from((*LINES, *SIGNS)) | st.sampled_from(("\n", *LINES)), max_size=14).map("".join)


def literal(prefix: str, quote: str, body: str) -> str:
    return f"{prefix}{quote}{body}{quote}"


LITERALS = st.builds(
    literal,
    st.sampled_from(("", "", "f", "F", "r", "rf", "t", "b", "u")),
    st.sampled_from(('"""', '"""', "'''", '"', "'")),
    BODIES,
)
STRINGS = st.lists(st.tuples(LITERALS, st.sampled_from(JOINS)).map("".join), min_size=1, max_size=3).map("".join)
PROGRAMS = st.lists(st.tuples(st.sampled_from(("x = ", "f(", "  ", "# ")), STRINGS).map("".join), max_size=3).map(
    "".join
)
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from((0, 0, 0, 1, 3, 40)), st.sampled_from((*SIGNS, *LINES, ""))), max_size=4
)


def in_program(text: str) -> SourceFile:
    return SourceFile.of(text, CATALOGUE, split=SplitMode.PYTHON)


def answers(file: SourceFile, offset: int) -> dict[str, object]:
    """All that is said of a file, and of a place in it."""
    snapshot = Snapshot({URI: file}, CATALOGUE)
    everything = FileSpan(0, file.length)
    return {
        "text": (file.text, file.sections.text),
        "positions": [file.position(at) for at in range(file.length + 1)],
        "lines": [file.line_text(line) for line in range(file.line_count)],
        "scripts": file.program,
        "findings": findings_in_file(file),
        "tokens": list(semantic_tokens(snapshot, URI)),
        "symbols": document_symbols(snapshot, URI),
        "folds": folding_ranges(snapshot, URI),
        "lenses": code_lenses(snapshot, URI),
        "hints": inlay_hints(snapshot, URI, everything),
        "actions": code_actions(snapshot, URI, everything, tuple(ActionKind)),
        "formatting": format_range(file, everything),
        "hover": hover(snapshot, URI, offset),
        "completion": completion(snapshot, URI, offset),
        "signature": signature_help(snapshot, URI, offset),
        "definition": definition(snapshot, URI, offset),
        "references": references(snapshot, URI, offset),
        "renamable": prepare_rename(snapshot, URI, offset),
    }


def place_in(text: str, share: float) -> int:
    """Return the offset at a share of the text; never inside of a line break, which no position can name."""
    offset = int(share * len(text))
    return offset - 1 if text[offset - 1 : offset + 1] == "\r\n" else offset


@example('=f"{\ntransform.a %}}', [(0.3, 0, "#map")], 1.0)
@example('=f"""transform.with_named_sequence{\n"")', [(1.0, 0, "}}"), (1.0, 0, '"""\n')], 1.0)
@example('f"""transform.with_named_sequence{\n}"""\nx = "%t"', [(0.95, 1, "0x"), (0.0, 1, "")], 0.0)
@given(PROGRAMS, EDITS, st.floats(0, 1))
@settings(max_examples=some(100))
def test_edited_program_answers_as_one_that_was_opened(
    program: str, edits: list[tuple[float, int, str]], share: float
) -> None:
    file = in_program(program)
    for at, length, new_text in edits:
        start = place_in(program, at)
        end = max(start, place_in(program, min(1.0, at + length / max(len(program), 1))))
        answers(file, start)
        lines = LineIndex(program)
        span = FileSpan(*(file.offset(lines.position(offset)) for offset in (start, end)))
        assert span == (start, end), "places are those of the text that the editor has"
        file = file.edited(span, new_text)
        program = program[:start] + new_text + program[end:]
        assert answers(file, start) == answers(in_program(program), start)
    place = place_in(program, share)
    assert answers(file, place) == answers(in_program(program), place)
