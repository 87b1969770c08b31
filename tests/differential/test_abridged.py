"""A text whose weights are shortened has the findings of the whole text, at the same places."""

from __future__ import annotations

import re
from random import Random

import pytest

from tdls.analysis.checking.file_findings import check_file
from tdls.analysis.file import source_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.limits import EDITED_OPERATION
from tdls.payload.abridged import abridge
from tdls.text.span import FileSpan

CONSTANT = '"test.a"(%a) : (f32) -> ()\n%b = arith.constant dense<{}> : tensor<{}>\n"test.b"(%none) : () -> ()'
HEX, ROW, ONES = "3F800000" * 3000, ", ".join(["-1.5e+00", "0x7FC00000"] * 400), ", ".join(["1"] * 8000)
TEXTS = {
    "right data": CONSTANT.format(f'"0x{HEX}"', "3000xf32"),
    "right rows": CONSTANT.format(f"[[{ROW}],\n [{ROW}]]", "2x800xf64"),
    "right integers": CONSTANT.format(f"[{ONES}]", "8000xi8"),
    "right global": f'memref.global @w : memref<3000xi32> = dense<"0x{HEX}">\n"test.b"(%none) : () -> ()',
    "right blob": f'"test.b"(%none) : () -> ()\n{{-# dialect_resources: {{ builtin: {{ w: "0x{HEX}" }} }} #-}}',
    "wrong size": CONSTANT.format(f'"0x{HEX}"', "3001xf32"),
    "wrong digit": CONSTANT.format(f'"0x{HEX}G0"', "3000xf32"),
    "wrong elements": CONSTANT.format(f"[{ONES}, 1.5, 300 3]", "8002xi8"),
}


@pytest.mark.parametrize(("name", "text"), TEXTS.items(), ids=TEXTS)
def test_findings_are_those_of_the_whole_text(name: str, text: str) -> None:
    short, cuts = abridge(text)
    assert (len(short) < 500) == name.startswith("right")
    of_whole, of_short = (check_file(SourceFile.of(each, Catalogue.shipped()))[0] for each in (text, short))
    assert [cuts.restored(finding) for finding in of_short] == of_whole
    assert any(finding.rule in ("syntax-error", "not-analysed") for finding in of_whole) == name.startswith("wrong")


LITERAL, LISTED = f'"0x{"3F800000" * 40}"', f"[{', '.join(['1.0'] * 40)}]"
EDITED = f"""\
func.func @f() -> (tensor<40xf32>, tensor<40xf32>) {{
  %é = arith.constant dense<{LITERAL}> : tensor<40xf32>  // ü
  %b = arith.constant dense<{LISTED}> : tensor<40xf32>
  return %é, %b : tensor<40xf32>, tensor<40xf32>
}}
// -----
module {{
  memref.global @w : memref<40xi32> = dense<{LITERAL}>
}}
"""


@pytest.mark.parametrize("seed", range(12))
def test_edited_files_of_editors_are_those_of_the_new_text(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "_LONG_LITERAL", 100)
    random, catalogue = Random(seed), Catalogue.shipped()
    text, file = EDITED, SourceFile.of(EDITED, catalogue, most=EDITED_OPERATION)
    assert len(file.sections.text) < len(text) - 500
    for _ in range(6):
        marks = [match.start() for match in re.finditer("40|>|\n", text)]
        start = random.choice([random.randrange(len(text)), *marks])
        end = min(start + random.choice([0, 0, 1, 5, 200]), len(text))
        new_text = random.choice(
            ["", "4", "0", "\n", "x", f"\n  %c = arith.constant dense<{LITERAL}> : tensor<40xf32>\n"]
        )
        file, text = file.edited(FileSpan(start, end), new_text), text[:start] + new_text + text[end:]
        whole, afresh = SourceFile.of(text, catalogue), SourceFile.of(text, catalogue, most=EDITED_OPERATION)
        assert (file.text, file.length, file.sections.text) == (text, len(text), afresh.sections.text)
        for offset in range(0, len(text) + 1, 7):
            position, span = whole.position(offset), FileSpan(max(offset - 90, 0), offset)
            assert (file.position(offset), file.offset(position)) == (position, whole.offset(position))
            assert (file.slice(span), file.line_text(position.line)) == (
                text[slice(*span)],
                whole.line_text(position.line),
            )
        of_file, of_whole = ({(each.rule, each.span) for each in check_file(each)[0]} for each in (file, whole))
        assert of_file == of_whole
