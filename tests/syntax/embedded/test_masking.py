"""Compares the scripts that tdls reads in Python programs with those that the programs make when they run."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samples import some
from syntax.embedded.programs import MARKED, spelled, value_of
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.embedded.masking import MaskedProgram, masked_program
from tdls.syntax.embedded.templates import HoleKind
from tdls.syntax.layout import SEPARATOR
from tdls.syntax.scanner import scan
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.span import FileSpan

SHIPPED = Catalogue.shipped()
PIECES = st.sampled_from([
    '"', "'", '"""', "'''", "\\", "\n", "\r\n", "f", "r", "b", "{", "}", "{{", "%", "%s", "//", "#", "(", ")", "+",
    "transform.named_sequence @a {", "transform.sequence {", "transform.yield", " ", "\v", "𝄞", ".format(", "[", "]",
    'f"""transform.sequence {{', "{\n  x\n}", "\r",
])  # fmt: skip


def in_program(text: str) -> SourceFile:
    return SourceFile.of(text, SHIPPED, split=SplitMode.PYTHON)


def tokens_of(text: str) -> list[str]:
    """The tokens of a script; blanks in strings, which escapes leave, do not count."""
    tokens = scan(text)
    return ["".join(spelling.split()) for spelling in tokens.spellings[: tokens.count]]


def filled(mask: MaskedProgram, script: str) -> str:
    """The mask with texts for the placeholders."""
    values = {
        HoleKind.NAME: script.partition("@")[2].partition("(")[0],
        HoleKind.NUMBER: script.partition("factor = ")[2][:1],
    }
    text = mask.text
    for hole in reversed(mask.scripts[0].holes):
        text = text[: hole.span.start] + values[hole.kind] + text[hole.span.end :]
    return text


@pytest.mark.parametrize("seed", range(300))
def test_mask_reads_as_the_string_that_the_program_makes(seed: int) -> None:
    program, script, spelling = spelled(seed)
    assert value_of(program).replace("\r\n", "\n").split() == script.split(), "the test spells what it means to"
    mask = masked_program(program)
    (found,) = mask.scripts
    assert len(found.holes) == (2 if spelling in ("f-string", "format", "percent") else 0)
    assert tokens_of(filled(mask, script)) == tokens_of(script)


@pytest.mark.parametrize("seed", range(300))
def test_findings_are_where_the_string_has_them(seed: int) -> None:
    program = spelled(seed).program
    (finding,) = findings_in_file(in_program(program))
    assert finding.message == f"use of undefined value `{MARKED}`"
    assert program[slice(*finding.span)] == MARKED


@given(st.lists(PIECES, max_size=60).map("".join))
@settings(max_examples=some(500))
def test_mask_has_the_places_of_the_program(program: str) -> None:
    mask = masked_program(program)
    assert len(mask.text) == len(program)
    assert [at for at, sign in enumerate(mask.text) if sign in "\r\n"] == [
        at for at, sign in enumerate(program) if sign in "\r\n"
    ]
    assert mask.text.count(SEPARATOR) == len(mask.scripts)
    outside = set(range(len(program))) - {at for script in mask.scripts for at in range(*script.span)}
    assert all(mask.text[at].isspace() for at in outside)


@given(st.lists(PIECES, max_size=40).map("".join), st.data())
@settings(max_examples=some(300))
def test_edited_program_is_read_as_one_that_was_opened(program: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(program)))
    end = data.draw(st.integers(start, len(program)))
    new_text = data.draw(PIECES)
    file = in_program(program)
    list(file.contexts)
    edited = file.edited(FileSpan(start, end), new_text)
    fresh = in_program(program[:start] + new_text + program[end:])
    assert edited.text == fresh.text
    assert edited.sections.text == fresh.sections.text
    assert [piece.text for piece in edited.sections.pieces] == [piece.text for piece in fresh.sections.pieces]
    assert findings_in_file(edited) == findings_in_file(fresh)


MODULE = "module attributes {{transform.with_named_sequence}} {{"
PRINT = "transform.print %stale : !transform.any_op"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("around", ["|", "@|(", "[|]", " : (|", "foo(|", "// | more", '"|"'])
@pytest.mark.parametrize("field", ["{|x|}", "{|}", "{x:|>3}"])
def test_field_over_several_lines_leaves_the_lines_as_they_are(line_end: str, around: str, field: str) -> None:
    field = field.replace("|", line_end)
    program = f'text = f"""{MODULE}{line_end}{around.replace("|", field)}{line_end}{PRINT} }}}}"""'
    mask = masked_program(program)
    assert [at for at, sign in enumerate(mask.text) if sign in "\r\n"] == [
        at for at, sign in enumerate(program) if sign in "\r\n"
    ]
    assert mask.text.index(PRINT) == program.index(PRINT)
    assert [program[slice(*hole.span)] for hole in mask.scripts[0].holes] == [field]


def in_sequence(line: str) -> str:
    return f"""text = f'''{MODULE}
      transform.named_sequence @a(%x: !transform.any_op {{{{transform.readonly}}}}) {{{{
        {line}
        transform.yield
      }}}}
    }}}}'''"""


def test_number_over_several_lines_hides_nothing() -> None:
    program = in_sequence(f"transform.loop.unroll %x {{{{factor = {{\n  factor\n}}}}}} : !transform.any_op\n{PRINT}")
    found = findings_in_file(in_program(program))
    assert [program[slice(*finding.span)] for finding in found if finding.rule == "undefined-value"] == [MARKED]
    assert "syntax-error" not in {finding.rule for finding in found}


def test_name_over_several_lines_is_not_judged() -> None:
    assert findings_in_file(in_program(in_sequence(f"transform.include @a{{\n  name\n}}_b(%x)\n{PRINT}"))) == []


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_comment_that_goes_on_behind_a_joined_line_is_not_read(line_end: str) -> None:
    program = in_sequence(f"// a comment \\{line_end} goes on ( here{line_end}{PRINT}")
    (finding,) = findings_in_file(in_program(program))
    assert program[slice(*finding.span)] == MARKED


@pytest.mark.parametrize(
    "program",
    [
        '"""Documentation of transform.named_sequence @main(%x: !transform.any_op) {"""',
        'def f():\n    "transform.named_sequence @main {"\n',
        'x = b"transform.named_sequence @main {"',
        'assert "transform.named_sequence @main" in text',
        'name = "transform.structured.match"',
        '# "transform.named_sequence @main {"',
        'raise ValueError(f"transform.sequence: {x} is none")',
        """raise E(f'Wanted "transform.named_sequence", not "{name}"')""",
        """raise E('Need a "transform.sequence" here')""",
        """print(f"transform.sequence {count} of {total}")""",
        """print("transform.sequence failures(propagate) { ... }")""",
        """HELP = '''
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    ...
  }
}'''""",
    ],
)
def test_strings_and_messages_that_are_no_script_are_not_read(program: str) -> None:
    assert not masked_program(program).scripts
    assert findings_in_file(in_program(program)) == []


def test_pieces_of_a_script_are_not_judged() -> None:
    program = textwrap.dedent("""
        text = "module attributes {transform.with_named_sequence} {"
        text += "transform.named_sequence @a(%x: !transform.any_op) { transform.print %y : !transform.any_op"
        text += f"}} }}"
    """)
    file = in_program(program)
    assert file.program is not None
    assert [script.is_fragment for script in file.program.scripts] == [True, True]
    assert findings_in_file(file) == []


@pytest.mark.parametrize("spelling", [".format(name=1)", "", "; text.format(name=1)"])
def test_string_that_is_filled_in_later(spelling: str) -> None:
    sequence = f"transform.named_sequence @{{name}}(%x: !transform.any_op) {{{{ {PRINT} }}}}"
    program = f'text = "module attributes {{{{transform.with_named_sequence}}}} {{{{ {sequence} }}}}"{spelling}'
    (finding,) = [finding for finding in findings_in_file(in_program(program)) if finding.rule == "undefined-value"]
    assert program[slice(*finding.span)] == MARKED


def test_placeholders_of_other_templates_are_none_of_python() -> None:
    program = 'text = "transform.named_sequence @a(%x: !transform.any_op) { {{body}} }"'
    (finding,) = findings_in_file(in_program(program))
    assert finding.rule == "template-placeholder"


def test_two_scripts_are_two_modules() -> None:
    script = "transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) { transform.yield }"
    whole = f"module attributes {{transform.with_named_sequence}} {{ {script} }}"
    assert findings_in_file(in_program(f'a, b = ["{whole}", "{whole}"]')) == []
    twice = f"module attributes {{transform.with_named_sequence}} {{ {script} {script} }}"
    (finding,) = findings_in_file(in_program(f'a = "{twice}"'))
    assert finding.rule == "redefined-symbol"


def test_nothing_is_held_against_a_script_that_the_program_fills_in() -> None:
    program = textwrap.dedent('''
        def schedule(sizes, body, kind, handle):
            return f"""
        module attributes {{transform.with_named_sequence}} {{
          transform.named_sequence @__transform_main(%arg: !transform.any_op) {{
            %mm = transform.structured.match ops{{["linalg.{kind}"]}} in %arg : (!transform.any_op) -> !transform.any_op
            %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes {sizes} : ({kind}) -> ({handle}, {handle})
            %u, %m:3 = transform.structured.tile_using_for %t tile_sizes [{sizes[0]}, {sizes[1]}]
              : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
            {body}
            transform.print %made_by_body : !transform.any_op
            transform.yield
          }}
        }}
        """
    ''')
    assert findings_in_file(in_program(program)) == []


def test_stale_handle_is_found_next_to_holes_and_named_as_written() -> None:
    program = textwrap.dedent('''
        SCRIPT = f"""
        module attributes {{transform.with_named_sequence}} {{
          transform.named_sequence @main(%{name}: !transform.any_op {{transform.consumed}}) {{
            transform.loop.unroll %{name} {{factor = {factor}}} : !transform.any_op
            transform.loop.unroll %{name} {{factor = {factor}}} : !transform.any_op
            transform.yield
          }}
        }}
        """
    ''')
    (finding,) = findings_in_file(in_program(program))
    assert finding.message == "`%{name}` was consumed by `transform.loop.unroll`"
    assert program[slice(*finding.span)] == "%{name}"
    assert "_name_" not in f"{finding.help}{finding.notes}"


@pytest.mark.parametrize(
    "program",
    [
        "S = f'transform.named_sequence @{name}(%r: !transform.any_op) {{ transform.yield }}'",
        "S = 'transform.named_sequence @a(%r: !transform.any_op) { transform.yield }'",
    ],
)
def test_a_script_in_one_line_is_one(program: str) -> None:
    assert len(masked_program(program).scripts) == 1


def test_words_that_the_program_replaces_are_holes() -> None:
    program = """\
SCRIPT = '''
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) { // ...
    %m = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [SIZE, __N__]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    MORE
    transform.annotate %t "x" : !transform.any_op
    transform.yield
  }
}
'''
def made(size, more):
    return SCRIPT.replace("SIZE", size).replace("transform.", "transform.").replace(
        "MORE", more).replace("__N__", "0").replace("any_op", "any_op")
"""
    (script,) = masked_program(program).scripts
    assert [program[slice(*hole.span)] for hole in script.holes] == ["SIZE", "__N__", "MORE"]
    assert findings_in_file(in_program(program)) == []
