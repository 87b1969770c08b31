"""The rule `unknown-pass`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.passes import mistyped_passes, tool_without
from tdls.semantic.run_lines import options_of, passes_of, run_lines
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, ENTRY_POINT, PASS_NAME, SEQUENCE
from tdls.settings.llvm_versions import version_name, version_ranges
from tdls.text.similarity import SimilarNames, most_similar
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.run_lines import PassUse
    from tdls.text.shell_words import Placed, ShellWord

_END_OF_TOOL_NAME: Final = re.compile(r"-opt(?:-\d+)?(?:\.exe)?\Z", re.ASCII)
_INTERPRETER: Final = "transform-interpreter"
_ENTRY: Final = "entry-point"
_ELSEWHERE: Final = frozenset({"transform-preload-library", "verify-diagnostics", "transform-library-paths"})
"""Options with which the script may be in another file, or is meant to fail."""


def find(context: Context) -> Iterator[Finding]:
    """Report passes that scripts or RUN lines name and that are not there, and what RUN lines say of them."""
    if not context.catalogue.is_complete:
        return
    for operation in context.operations(APPLY_REGISTERED_PASS):
        attribute = operation.syntax.attribute(PASS_NAME)
        if attribute is not None and not operation.syntax.broken and (attribute.value or "").startswith('"'):
            span = Span(attribute.value_start + 1, attribute.value_end - 1)
            name = context.section.text[span.start : span.end]
            tool = context.catalogue.ask(tool_without, name)
            yield from _judged(context, name, span, tool and f"`{tool}`, which runs scripts here, has no pass `{name}`")
    for command in (command for line in run_lines(context.section.text) for command in line.commands):
        if command[0].text != "not" and any(_END_OF_TOOL_NAME.search(word.text) for word in command):
            uses = list(passes_of(command))
            for use in uses:
                yield from _judged(context, use.name.text, _span(use.name))
                yield from _options(context, use)
            yield from _without_entry(context, command, uses)


def _judged(context: Context, name: str, span: Span, lacking: str = "") -> Iterator[Finding]:
    """Report a pass that is misspelled, not in the version that the script is for, or `lacking` for another reason."""
    catalogue = context.catalogue
    variants, rename = catalogue.pass_variants(name), catalogue.renamed(name)
    if variants and not any(map(catalogue.is_at_target, variants)):
        versions = version_ranges({version for variant in variants for version in variant.versions})
        message = f"LLVM {version_name(catalogue.target or 0)} has no pass `{name}`"
        yield _finding(message, span, f"it is one of {versions}")
    elif not variants and rename is not None:
        message = f"the pass `{name}` exists up to LLVM {rename.last_version} only"
        yield _finding(message, span, rename.note or None, rename.name)
    elif (meant := catalogue.ask(mistyped_passes, name)) or lacking:
        names = " or ".join(f"`{each}`" for each in meant)
        message = lacking or f"there may be no pass `{name}`: neither LLVM nor the project has one of this name"
        yield _finding(
            message, span, f"did you mean {names}?" if meant else None, meant[0] if len(meant) == 1 else None
        )


def _options(context: Context, use: PassUse) -> Iterator[Finding]:
    """Report options that a pass has in no version."""
    variants = context.catalogue.pass_variants(use.name.text)
    known = {option.name for variant in variants for option in variant.options or ()}
    if not known or any(variant.options is None for variant in variants):
        return
    for option in use.options:
        name = option.name
        if name.text not in known and re.fullmatch(r"[\w-]+", name.text, re.ASCII):
            near = SimilarNames(0.6).to(name.text, (sorted(known),))
            listed = ", ".join(f"`{each}`" for each in sorted(known))
            help_text = f"did you mean `{near}`?" if near is not None else f"it has {listed}"
            yield _finding(f"the pass `{use.name.text}` has no option `{name.text}`", _span(name), help_text, near)


def _without_entry(context: Context, command: Sequence[ShellWord], uses: Sequence[PassUse]) -> Iterator[Finding]:
    """Report a run of the interpreter whose entry point is not in the file, if no other file may have it."""
    run = next((use for use in uses if use.name.text == _INTERPRETER), None)
    options = {option.name.text: option.value for option in options_of(command)}
    if run is None or not _ELSEWHERE.isdisjoint({*options, *(use.name.text for use in uses)}):
        return
    entry = next((option.value for option in run.options if option.name.text == _ENTRY), None)
    name = entry.text.removeprefix("@") if entry is not None else ENTRY_POINT
    if not name or context.is_in_template:
        return
    if not context.has_scripts_without(name):
        if entry is not None and entry.text != name and f"@{name}" in context.sequences:
            message = f"`{_INTERPRETER}` takes the name of its entry point without `@`"
            yield _finding(message, _span(entry), None, name)
        return
    message = f"`{_INTERPRETER}` runs the named sequence `@{name}`, which this file does not have"
    meant = most_similar(f"@{name}", context.sequences - {SEQUENCE}, 0.7) if entry is not None else None
    is_of_sequence = f"it does not run a `{SEQUENCE}` at the top level" if SEQUENCE in context.sequences else None
    help_text = f"did you mean `{meant}`?" if meant is not None else is_of_sequence
    yield _finding(message, _span(entry or run.name), help_text, meant and meant[1:])


def _span(word: Placed) -> Span:
    return Span(word.places[0], word.places[-1] + 1)


def _finding(message: str, span: Span, help_text: str | None, meant: str | None = None) -> Finding:
    fixes = (SectionFix(f"Change to `{meant}`", (SectionEdit(span, meant),)),) if meant is not None else ()
    return Finding(RULE.name, RULE.level, message, span, help=help_text, fixes=fixes)


RULE: Final = Rule("unknown-pass", find=find, shows_when_run=True, fix=FixKind.UNSAFE)
