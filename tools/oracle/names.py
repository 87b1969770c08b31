"""Misspelt types, attributes and values of enumerations: ``python -m oracle.names``.

Each name of the facts gets a slip, in a script and in payload. MLIR rejects the text if the slip is no name; a finding
has to say so there. The text without the slip, where MLIR accepts it, must have no finding. With another
`--version` than the default, the findings are those for it as the target, and names that it lacks count, too. Dialects
that the tool lacks are left out.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from typing import TYPE_CHECKING

from oracle import tools
from oracle.version_texts import UNREGISTERED
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.settings.llvm_versions import version_named

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULES = ("unknown-name", "not-in-target-llvm")
_DEFAULT = "22"
_PLACE = "NAME"
_PAYLOAD = {"!": f"func.func private @f({_PLACE})", "#": f'"test.user"() {{value = {_PLACE}}} : () -> ()'}
_SCRIPT = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %p = transform.param.constant {_PLACE} -> !transform.any_param
    transform.yield
  }}
}}
"""


def main() -> int:
    """Print the share of slips that are found; the exit code is 1 where a finding is false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--version", default=_DEFAULT, help="the version of LLVM")
    parser.add_argument("--tool", help="its mlir-opt, if it is not called mlir-opt-VERSION")
    parser.add_argument("--show", action="store_true", help="print what is not found")
    arguments = parser.parse_args()
    version = version_named(arguments.version)
    if version is None:
        parser.error("tdls knows no such version")
    if arguments.tool:
        os.environ["TDLS_MLIR_OPT"] = arguments.tool
    major = None if arguments.tool else version
    dialects = sorted({name.partition(".")[0] for name in Catalogue.shipped().operation_names() if _has(name, version)})
    probes = tools.run([UNREGISTERED.format(each) for each in dialects], "--allow-unregistered-dialect", major=major)
    lacking = {dialect for dialect, outcome in zip(dialects, probes, strict=True) if outcome.text is not None}
    print(f"dialects that the tool lacks: {', '.join(sorted(lacking)) or 'none'}")
    cases = list(_cases(random.Random(arguments.seed), {*dialects} - lacking))
    outcomes = tools.run([text for _, text, _ in cases], "--allow-unregistered-dialect", major=major)
    rejected = [outcome.text is None for outcome in outcomes]
    catalogue = Catalogue.shipped().at(None if arguments.version == _DEFAULT else version)
    counts: Counter[tuple[str, str]] = Counter()
    false = 0
    for number, (kind, text, is_slip) in enumerate(cases):
        if is_slip and rejected[number - 1] and kind.startswith("value"):
            continue  # the value is another version's, or the attribute is not written like this
        is_found = any(each.rule in _RULES for each in findings_in_file(SourceFile.of(text, catalogue)))
        if is_found and not rejected[number]:
            false += 1
            print(f"false: {text}")
        if is_slip and rejected[number]:
            counts[kind, "found" if is_found else "not found"] += 1
            if arguments.show and not is_found:
                print(f"not found: {text}")
    for kind in sorted({kind for kind, _ in counts}):
        found, missed = counts[kind, "found"], counts[kind, "not found"]
        print(f"{kind}: {found} of {found + missed} slips found")
    print(f"{false} false findings in {len(cases)} texts")
    return 1 if false else 0


def _cases(source: random.Random, known: set[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield a kind, a text, and whether it has a slip; each text with one follows the same without it."""
    catalogue = Catalogue.shipped()
    spelled = [("type", f"!{name}", "") for name in catalogue.type_names()]
    for name in catalogue.attribute_kind_names():
        variants = catalogue.attribute_kind_variants(name)
        spelled.append(("attribute", f"#{name}", ""))
        spelled += [("value", f"#{name}", case) for case in dict.fromkeys(c for v in variants for c in v.enumerated)]
    for kind, name, case in spelled:
        if name[1:].partition(".")[0] not in known:
            continue
        sigil, dialect, word = name[0], name[1:].partition(".")[0], name.partition(".")[2]
        right = f"{name}<{case}>" if case else name
        slip = f"{name}<{_slip(case, source)}>" if case else f"{sigil}{dialect}.{_slip(word, source)}"
        for place, form in (("payload", _PAYLOAD[sigil]), ("script", _SCRIPT)):
            yield f"{kind} in {place}", form.replace(_PLACE, right), False
            yield f"{kind} in {place}", form.replace(_PLACE, slip), True


def _has(operation: str, version: int) -> bool:
    return any(version in variant.versions for variant in Catalogue.shipped().variants(operation))


def _slip(word: str, source: random.Random) -> str:
    """Return `word` with a letter left out, doubled, replaced, or swapped with the next."""
    letters = [index for index, letter in enumerate(word) if letter.isalpha()] or [0]
    at = source.choice(letters)
    slips = [
        word[:at] + word[at + 1 :] or "q",
        word[: at + 1] + word[at:],
        f"{word[:at]}q{word[at + 1 :]}",
        word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
    ]
    return source.choice([slip for slip in slips if slip != word])


if __name__ == "__main__":
    raise SystemExit(main())
