"""Migration of a file to another version of LLVM, as ``tdls migrate`` does it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import Change, change_of, choose, sorted_edits, with_edits
from tdls.analysis.respelling import MIGRATING, is_migrated, reasons_to_leave
from tdls.analysis.rules import unfit_for_target
from tdls.catalogue.shipped import shipped_source
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.llvm_versions import version_name
from tdls.structs import Struct, replace
from tdls.syntax.scanner import scan
from tdls.syntax.sections.boundaries import parts_of
from tdls.syntax.sections.facts import Fact
from tdls.system import cached_property
from tdls.text.diagnostic import Diagnostic, Note, TextEdit
from tdls.text.difference import line_edits
from tdls.text.level import Level
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tdls.semantic.model import Operation


_PRESENT_TEXTS = {
    "!pdl.operation": "!transform.any_op",
    **{f"#gpu.linear<{name}>": f"#gpu.thread<linear_dim_{number}>" for number, name in enumerate("xyz")},
}
_PRESENT = (Change(MIGRATING[1], "Write types and attributes as today", 0),)


class Migration(Struct, frozen=True, has_dict=True):
    """A file as a version of LLVM reads it, where the meaning certainly stays the same."""

    before: SourceFile
    after: SourceFile
    applied: tuple[Change, ...]
    """The fixes of the way there, which may go through several versions."""
    obstacles: Mapping[int, str]
    """What the version would not read in parts of which all is migrated, by part."""

    @cached_property
    def left(self) -> tuple[Diagnostic, ...]:
        """Findings in `after` that keep its parts as they were."""
        return tuple(_left(self.after, self.obstacles))

    @property
    def edits(self) -> tuple[TextEdit, ...]:
        """The way from `before` to `after`, in the order of the text; these do not overlap."""
        return tuple(TextEdit(span, new) for span, new in line_edits(self.before.text, self.after.text))

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The places that are left as findings in `before`, each with the reason in its message."""
        version = f"left as it is for LLVM {version_name(self.after.catalogue.target or 0)}: "
        findings = []
        for finding in self.left:
            for span, reason in reasons_to_leave(finding):
                moved = 0
                for edit in self.edits:
                    if edit.span.start + moved < span.start:
                        moved += len(edit.new_text) - (edit.span.end - edit.span.start)
                place = FileSpan(span.start - moved, span.end - moved)
                findings.append(Diagnostic(finding.rule, Level.WARNING, version + reason, place))
        return tuple(findings)


def migrate(file: SourceFile, target: int, *, in_editor: bool = True) -> Migration | None:
    """Migrate `file` to the LLVM version `target`; libraries and payload are not changed.

    A part, which MLIR reads as one module, is migrated as a whole or stays as it is. None `in_editor` for a file with a
    section so large that reading it again would disturb.
    """
    if in_editor and (file.cuts or any(piece.section.is_large for piece in file.sections.pieces)):
        return None
    after = _at(file, target)
    applied: tuple[Change, ...] = ()
    unfit = {part for part, _ in _unfit(after)}
    obstacles: dict[int, str] = {}
    for way in _ways(target):
        if not unfit:
            break
        walked, changes = _walked(after, way, unfit)
        still = {part: finding.message for part, finding in reversed(_unfit(walked))}
        obstacles = still | obstacles
        if migrated := unfit - still.keys():
            after, changes = _walked(after, way, migrated) if unfit & still.keys() else (walked, changes)
            applied += changes
        unfit &= still.keys()
    perhaps = {part for part, _ in _perhaps_unfit(after)}
    present = _with_present_texts(after, {context.part for context in after.contexts} - perhaps)
    if present.text != after.text and unfit.issuperset(part for part, _ in _unfit(present)):
        after, applied = present, (*applied, *_PRESENT)
    return Migration(file, after, applied, obstacles)


def _at(file: SourceFile, version: int) -> SourceFile:
    there = SourceFile.of(file.text, file.catalogue.at(version), split=file.sections.mode, libraries=file.libraries)
    return there.with_payload(file.payload)


def _ways(target: int) -> tuple[Sequence[int], ...]:
    """Return the versions to go through, the shortest way first: a form may need the one between."""
    snapshots = shipped_source().llvm_versions
    return (target,), [*(version for version in snapshots if version < target), target]


def _walked(file: SourceFile, way: Sequence[int], parts: Collection[int]) -> tuple[SourceFile, tuple[Change, ...]]:
    """Return `file` with its `parts` migrated to each version of `way` in turn, and the fixes."""

    def proposed(version: SourceFile) -> Iterable[Diagnostic]:
        findings = [finding for finding in findings_in_file(version) if finding.rule in MIGRATING]
        return [finding for part, finding in _by_part(version, findings) if part in parts]

    applied: tuple[Change, ...] = ()
    for version in way:
        file, seen = file if file.catalogue.target == version else _at(file, version), set[str]()
        while file.text not in seen and (chosen := choose(proposed(file))):
            seen.add(file.text)
            applied += tuple(change_of(file, each) for each in chosen)
            file = with_edits(file, sorted_edits(chosen))
    present = _with_present_texts(file, parts)
    return present, applied or (_PRESENT if present.text != file.text else ())


def _with_present_texts(file: SourceFile, parts: Collection[int]) -> SourceFile:
    """Return `file` with the present types of handles, which only PDL needs as in LLVM 16, and attributes in `parts`.

    Parts with operations of PDL, or with unknown ones, keep them.
    """
    if not any(text in file.text for text in _PRESENT_TEXTS):
        return file
    needing = {
        context.part
        for context in file.contexts
        for operation in context.model.walk()
        if "pdl" in operation.name or (is_transform_name(operation.name) and operation.definition is None)
    }
    edits = []
    for context in file.contexts:
        text = context.section.text
        for start in scan(text).starts if context.part in parts and context.part not in needing else ():
            for former, present in _PRESENT_TEXTS.items():
                if text.startswith(former, start):
                    edits.append(TextEdit(context.to_file(Span(start, start + len(former))), present))
    return with_edits(file, edits)


def _unfit(file: SourceFile) -> list[tuple[int, Diagnostic]]:
    """Return the findings, with their parts, that keep the version from reading a part as it is meant."""
    possible = _perhaps_unfit(file)
    return [
        (part, finding)
        for part, finding in possible
        if finding.level is Level.ERROR or (finding.rule in MIGRATING and finding.level is not Level.HINT)
    ]


def _perhaps_unfit(file: SourceFile) -> list[tuple[int, Diagnostic]]:
    return _by_part(file, [finding for finding in findings_in_file(file) if finding.rule in unfit_for_target()])


def _by_part(file: SourceFile, findings: Iterable[Diagnostic]) -> list[tuple[int, Diagnostic]]:
    return [(part_at(file, finding.span.start), finding) for finding in findings]


def part_at(file: SourceFile, offset: int) -> int:
    """Return the number of the part that has the text at `offset`."""
    return bisect_right(_part_starts(file), offset) - 1


@Fact
def _part_starts(file: SourceFile) -> list[int]:
    return [file.cuts.offset(start) for start, _ in parts_of(file.sections.text, file.sections.mode)]


def _left(file: SourceFile, obstacles: Mapping[int, str]) -> Iterator[Diagnostic]:
    """Yield the findings that keep parts as they are: of a part with a place that has no migration, not the others.

    Where all have one, the `obstacles` tell what the version would not read then. What MLIR would say of an operation
    in another form follows from that form. What is wrong in every version is told once for a part.
    """
    told: set[int] = set()
    mistakes: set[tuple[str, FileSpan]] | None = None
    unfit = _unfit(file)
    certain = {part for part, _ in unfit}
    unfit += [each for each in _perhaps_unfit(file) if each[0] not in certain and each[1].rule in MIGRATING]
    without = {part for part, finding in unfit if not is_migrated(finding)}
    forms = [finding for _, finding in unfit if finding.rule in MIGRATING and not is_migrated(finding)]
    forms += [replace(finding, span=note.span) for finding in forms for note in finding.notes]
    places = [_operation_at(file, finding) for finding in forms]
    for part, finding in unfit:
        if part not in without:
            reason = Note(
                f"it is not rewritten: afterwards {obstacles.get(part, 'it would not be read')}", finding.span
            )
            yield replace(finding, fixes=(), notes=(reason,))
        elif finding.rule in MIGRATING and not is_migrated(finding):
            yield finding
        elif not is_migrated(finding) and (place := _operation_at(file, finding)) not in places:
            mistakes = _in_every_version(file) if mistakes is None else mistakes
            if finding.rule in (*MIGRATING, "syntax-error") or (finding.rule, finding.span) not in mistakes:
                yield _about_form(file, finding, place)
            elif part not in told:
                told.add(part)
                message, advice = "has errors in every version", "see `tdls --check`"
                yield replace(finding, message=message, help=advice, fixes=(), notes=())


def _in_every_version(file: SourceFile) -> set[tuple[str, FileSpan]]:
    """Return the rules and places of findings that are errors in every version, not about versions."""
    versions = (_unfit(_at(file, version)) for version in shipped_source().llvm_versions)
    return set.intersection(*({(each.rule, each.span) for _, each in unfit} for unfit in versions))


def _about_form(file: SourceFile, finding: Diagnostic, operation: Operation | None) -> Diagnostic:
    """Return `finding` in words about the form of a transform operation, if its text does not fit its format."""
    if finding.rule != "syntax-error" or operation is None or not is_transform_name(operation.name):
        return finding
    version = version_name(file.catalogue.target or 0)
    definition = next(filter(file.catalogue.is_at_target, file.catalogue.variants(operation.name)), None)
    form = " ".join((definition.assembly_format or "").split()) if definition is not None else ""
    advice = f"LLVM {version} writes `{operation.name} {form}`" if form else finding.help
    message = (
        f"`{operation.name}` is in a form that tdls does not know, and not as in LLVM {version}: {finding.message}"
    )
    return replace(finding, message=message, help=advice)


def _operation_at(file: SourceFile, finding: Diagnostic) -> Operation | None:
    """Return the innermost operation that `finding` is about."""
    for context in file.contexts:
        place = finding.span.start - context.to_file(Span(0, 0)).start
        around = [each for each in context.model.walk() if each.span.start <= place <= each.span.end]
        if around:
            return min(around, key=lambda each: each.span.end - each.span.start)
    return None
