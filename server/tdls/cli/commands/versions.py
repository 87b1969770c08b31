"""``tdls versions``: lists the versions of LLVM that scripts fit, and the findings for the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from tdls.analysis.respelling import is_migrated
from tdls.analysis.rules import failing_on_reading
from tdls.catalogue.changed_operations import is_verified_otherwise, other_behaviour
from tdls.catalogue.model import UNDECIDED
from tdls.catalogue.shipped import shipped_source
from tdls.cli.checking.file import Checker, CheckSettings
from tdls.cli.checking.invocation import report_failures
from tdls.cli.checking.targets import find_targets
from tdls.cli.checking.workers import check_targets
from tdls.cli.console import console
from tdls.cli.console.options import catalogue_option, configuration_options, files, payload_option
from tdls.cli.rendering.checked import SourceText, Tally
from tdls.cli.rendering.formats import concise, full
from tdls.cli.rendering.formats.json_document import described
from tdls.cli.rendering.json_text import json_text
from tdls.payload.abridged import abridge
from tdls.settings.llvm_versions import (
    is_estimated,
    llvm_versions,
    month_name,
    newest_version,
    version_name,
    version_ranges,
)
from tdls.settings.model import RuleSelection
from tdls.structs import replace
from tdls.syntax.tree import Form
from tdls.text.level import Level
from tdls.text.printable import printable
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tdls.catalogue.model import OperationDefinition
    from tdls.cli.checking.file import Loaded
    from tdls.cli.checking.targets import CheckTarget
    from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding
    from tdls.payload.abridged import Cuts
    from tdls.settings.sources import Overrides
    from tdls.text.span import FileSpan

SCHEMA_VERSION = 1
_ABOUT_VERSIONS = frozenset({"not-in-target-llvm", "older-form", "unknown-transform-operation"})
"""Rules whose findings are about versions, also where no version that tdls knows reads the text."""
_COMMANDS = "unknown-pass"
"""The rule about RUN lines, whose passes depend on versions, too."""


class Fitting(NamedTuple):
    """A script, and its results for each version of LLVM: the findings keep that version from reading it."""

    name: str
    versions: dict[int, CheckedFile]
    unread: dict[int, list[str]]
    """Lines for operations of LLVM whose form is not known there, by the versions that it fits otherwise."""
    changed: list[str]
    """Lines for operations that all versions read, while some do another thing."""

    @property
    def fits(self) -> list[int]:
        return [version for version, checked in self.versions.items() if not checked.findings]

    @property
    def mistakes(self) -> set[tuple[str, int]]:
        """Rule and offset of the findings that have nothing to do with versions: all versions have them."""
        each = [{_identity(finding) for finding in checked.findings} for checked in self.versions.values()]
        return {(rule, start) for rule, start in set.intersection(*each) if rule not in _ABOUT_VERSIONS}

    @property
    def errors(self) -> set[tuple[str, int]]:
        """The errors among `mistakes`; the others are warnings about RUN lines."""
        return {(rule, start) for rule, start in self.mistakes if rule != _COMMANDS}

    @property
    def obstacles(self) -> dict[int, list[FingerprintedFinding]]:
        """The findings that keep a version from reading the file while others do, by version."""
        mistakes = self.mistakes
        return {
            version: [finding for finding in checked.findings if _identity(finding) not in mistakes]
            for version, checked in self.versions.items()
        }

    @property
    def needed(self) -> dict[str, int] | None:
        """The numbers of changes after which it fits main, by `tdls migrate` and by hand, or None without a need.

        A script that fits no version may have mistakes that have nothing to do with versions.
        """
        findings = [finding.diagnostic for finding in self.versions[newest_version()].findings]
        if not findings or not self.fits:
            return None
        migrated = [finding for finding in findings if is_migrated(finding)]
        edited = [edit.span for finding in migrated for fix in finding.fixes if fix.safe for edit in fix.edits]
        others = [finding.span for finding in findings if not is_migrated(finding)]
        by_hand = sum(all(span.end > each.end or span.start < each.start for each in edited) for span in others)
        return {"migrated": len(migrated), "by_hand": by_hand}

    @property
    def any(self) -> CheckedFile:
        """The result for one version: whether the file can be read, and problems of its settings, are alike for all."""
        return next(iter(self.versions.values()))

    @property
    def crash(self) -> str | None:
        """The traceback of a mistake in tdls, or None."""
        return next(filter(None, (checked.crash for checked in self.versions.values())), None)

    @property
    def is_known(self) -> bool:
        """True if the file was checked by all rules, for all versions."""
        return all(
            checked.unreadable is None and checked.crash is None and not checked.failures
            for checked in self.versions.values()
        )


def _identity(finding: FingerprintedFinding) -> tuple[str, int]:
    return finding.diagnostic.rule, finding.diagnostic.span.start


@click.command("versions")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=files)
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input in the output.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@payload_option
@configuration_options
@catalogue_option
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes to use, as for 'tdls check'.")
@click.option("--no-cache", is_flag=True, help="Look at every file again, and keep nothing for the next time.")
def command(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    format_: str,
    payload: bool,
    overrides: Overrides,
    catalogues: tuple[Path, ...],
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Say which versions of LLVM scripts fit, and list the findings for the others.

    A script fits if all its operations exist in that version and are written as they are there. Operations of other
    dialects fit every version; where tdls does not know the form of one of LLVM's, a script fits as far as is known.
    PATH is a file, a directory or - for standard input, as for 'tdls check'; files of directories without transform
    operations are left out.

    Exit status: 0 there is a version for every file, 1 there is none for some file, 2 wrong usage or unreadable input.
    """
    targets, problems, left_out = find_targets(paths, stdin_filename, overrides, with_payload=payload)
    settings = CheckSettings(
        catalogues, overrides, selection=RuleSelection((*failing_on_reading(), _COMMANDS)), uses_cache=not no_cache
    )
    fittings = _results_by_version(targets, settings, jobs)
    unreadable = {problem.path: problem.message for problem in problems}
    unreadable |= {fitting.name: fitting.any.unreadable for fitting in fittings if fitting.any.unreadable is not None}
    readable = [fitting for fitting in fittings if fitting.is_known]
    is_json = format_ == "json"
    console.write([_document(readable, unreadable, left_out)] if is_json else _text(readable, left_out))
    for complaint in dict.fromkeys(complaint for fitting in fittings for complaint in fitting.any.complaints):
        console.complain(complaint, level="warning")
    for name, message in unreadable.items():
        console.complain(f"{name}: {message}")
    crashes = {fitting.name: fitting.crash for fitting in fittings if fitting.crash is not None}
    statuses = [console.report_internal_error(f"while checking {name}", trace) for name, trace in crashes.items()]
    tally = Tally()
    for fitting in fittings:
        first = {failure.rule: failure for checked in fitting.versions.values() for failure in checked.failures}
        tally.add_failures(fitting.name, first.values())
    report_failures(tally)
    if statuses:
        return max(statuses)
    if unreadable or tally.failures:
        return console.EXIT_USAGE
    return console.EXIT_CLEAN if all(fitting.fits for fitting in readable) else console.EXIT_FINDINGS


def _results_by_version(targets: Sequence[CheckTarget], settings: CheckSettings, jobs: int | None) -> list[Fitting]:
    by_version: dict[int, list[CheckedFile]] = {}
    for version in llvm_versions():
        aimed = replace(settings, overrides=settings.overrides.with_target(version_name(version)))
        by_version[version] = list(check_targets(targets, aimed, jobs))
    checker = Checker(settings)
    fittings: list[Fitting] = []
    for number, target in enumerate(targets):
        versions = {version: _without_advice(checked[number]) for version, checked in by_version.items()}
        fitting = Fitting(target.name, versions, {}, [])
        if fitting.is_known:
            text = target.read()
            short, cuts = abridge(text)
            place = partial(_place, SourceText(target.name, text), cuts)
            loaded = checker.load(target, short)
            for version in fitting.fits:
                fitting.unread[version] = list(_unread(loaded, version, place))
            fitting.changed.extend(_changed(loaded, place))
        fittings.append(fitting)
    return fittings


def _place(source: SourceText, cuts: Cuts, span: FileSpan) -> str:
    return source.place(cuts.offset(span.start))


def _without_advice(checked: CheckedFile) -> CheckedFile:
    """Return the result without warnings about what every version reads."""
    rules = {*_ABOUT_VERSIONS, _COMMANDS}
    kept = [each for each in checked.findings if each.diagnostic.level is Level.ERROR or each.diagnostic.rule in rules]
    return replace(checked, findings=kept)


def _unread(loaded: Loaded, version: int, place: Callable[[FileSpan], str]) -> Iterator[str]:
    """Yield a line for each operation of LLVM that the facts of a version do not read, which it may read or not."""
    file = loaded.file.with_catalogue(loaded.configured.catalogue.at(version))
    upstream = shipped_source().operations
    for context in file.contexts:
        for operation in context.model.walk():
            syntax, definition, name = operation.syntax, operation.definition, operation.name
            is_upstream = bool(definition.versions) if definition else syntax.form is not Form.GENERIC
            is_upstream |= definition is None and name.partition(".")[0] in upstream.dialects()
            is_had = any(map(context.catalogue.is_at_target, context.catalogue.variants(name)))
            is_read = (syntax.form is Form.GENERIC and is_had) or (
                syntax.form is Form.EXACT and definition in context.catalogue.variants(name)
            )
            is_read &= definition is None or not _is_estimated(definition, version)
            names, attributes = [each.name for each in syntax.attributes], definition.attributes if definition else ()
            why = None
            if not is_read and syntax.name and is_upstream:
                why = "" if definition is not None else ", which no version has that tdls knows"
            elif any(is_verified_otherwise(each, version) for each in (name, *names)):
                why = ", whose verifier changed"
            elif any(each.assembly_format == UNDECIDED and each.name in names for each in attributes):
                why = ", whose enumeration stands in brackets or not"
            if why is not None:
                yield f"{place(context.to_file(operation.location))}: `{name}`{why}"


def _is_estimated(definition: OperationDefinition, version: int) -> bool:
    """Whether facts of other versions tell that `version` has the definition, and not all of them beside it have it."""
    known = llvm_versions()
    number = known.index(version)
    beside = {known[max(number - 1, 0)], known[number + 1 if version != known[-1] else number]}
    is_all = beside <= set(definition.versions)
    return is_estimated(version, definition.dialect) and not is_all


def _changed(loaded: Loaded, place: Callable[[FileSpan], str]) -> Iterator[str]:
    """Yield a line for each operation that does another thing in some version."""
    for context in loaded.file.contexts:
        for operation in context.model.walk():
            beside, reason = other_behaviour(operation.name)
            block = operation.block.operations if operation.block is not None else ()
            if reason and all(other.name != beside for other in block):
                yield f"{place(context.to_file(operation.location))}: `{operation.name}`: {reason}"


def _text(fittings: Sequence[Fitting], left_out: int) -> Iterator[str]:
    for fitting in fittings:
        name = printable(fitting.name)
        if fitting.mistakes:
            mistakes = "errors" if fitting.errors else "RUN lines with warnings"
            yield f"{name}: has {mistakes} in every version; see `tdls --check`\n"
        else:
            yield from _fits(fitting, name)
        for versions, lines in _obstacles(fitting).items():
            yield f"  not {_versions(versions)}:\n"
            yield from (f"    {line}" for line in lines)
        if fitting.changed:
            yield "  but not with the same meaning in all versions:\n"
            yield from (f"    {line}\n" for line in fitting.changed)
        if needed := fitting.needed:
            by_hand = needed["by_hand"]
            changes = counted(needed["migrated"] + by_hand, "change")
            hint = f", {by_hand} by hand" if by_hand else " ('tdls migrate')"
            yield f"  fits main after {changes}{hint}\n"
    if len(fittings) > 1:
        common = [version for version in llvm_versions() if all(version in fitting.fits for fitting in fittings)]
        files = f"all {len(fittings)} files"
        yield f"{files} fit {_versions(common)}\n" if common else f"no version fits {files}\n"
    if left_out:
        yield f"{full.left_out(left_out)}\n"


def _fits(fitting: Fitting, name: str) -> Iterator[str]:
    """Yield the lines about the versions that a file fits, certainly or as far as is known."""
    certain = [version for version in fitting.fits if not fitting.unread[version]]
    unread = {line: None for version in fitting.fits for line in fitting.unread[version]}
    if certain or not unread:
        yield f"{name}: fits {_versions(certain)}\n"
    if unread:
        open_ = [version for version in fitting.fits if version not in certain]
        start = "  and" if certain else f"{name}: fits"
        yield f"{start} {_versions(open_)} as far as is known: tdls does not know all that is accepted of these\n"
        yield from (f"    {line}\n" for line in unread)


def _obstacles(fitting: Fitting) -> dict[tuple[int, ...], list[str]]:
    """Return a line for each finding, and one for its help, by the versions that it keeps the script from fitting."""
    versions: dict[str, list[int]] = {}
    for version, findings in fitting.obstacles.items():
        for finding in findings:
            help_text = finding.diagnostic.help
            line = concise.render(finding.diagnostic, fitting.versions[version].source)
            versions.setdefault(f"{line}      help: {printable(help_text)}\n" if help_text else line, []).append(
                version
            )
    by_versions: dict[tuple[int, ...], list[str]] = {}
    for line, those in versions.items():
        by_versions.setdefault(tuple(dict.fromkeys(those)), []).append(line)
    return dict(sorted(by_versions.items()))


def _versions(versions: Sequence[int]) -> str:
    """Return versions as ranges; the main branch alone begins in a month."""
    if not versions:
        return "no version of LLVM that tdls knows"
    newest = newest_version()
    since = f" since {month_name(newest)}" if newest in versions and llvm_versions()[-2] not in versions else ""
    return version_ranges(versions) + since


def _document(fittings: Sequence[Fitting], unreadable: dict[str, str], left_out: int) -> str:
    document = {
        "version": SCHEMA_VERSION,
        "llvm": [_in_document(version) for version in llvm_versions()],
        "files": [
            {
                "path": fitting.name,
                **({"errors_in_every_version": len(fitting.errors)} if fitting.errors else {}),
                "fits": [_in_document(version) for version in fitting.fits],
                "as_far_as_known": [_in_document(version) for version, lines in fitting.unread.items() if lines],
                "findings": {
                    version_name(version): [
                        described(finding.diagnostic, checked.source) for finding in checked.findings
                    ]
                    for version, checked in fitting.versions.items()
                    if checked.findings
                },
                **({"changed": fitting.changed} if fitting.changed else {}),
                **({"changes": needed} if (needed := fitting.needed) is not None else {}),
            }
            for fitting in fittings
        ],
        **({"left_out": left_out} if left_out else {}),
        "unreadable": [{"path": name, "message": message} for name, message in unreadable.items()],
    }
    return json_text(document, indent=2) + "\n"


def _in_document(version: int) -> int | str:
    return "main" if version == newest_version() else version
