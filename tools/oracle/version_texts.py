"""What ``tdls versions`` says of texts of others, beside each version's own MLIR: ``python -m oracle.version_texts``.

Only texts that some of the MLIRs read are counted. A wheel lacks some dialects and all of MLIR's test dialect: what it
rejects for that reason is not counted. At last come the operations that only a version's verifier rejects: as
`verified` of facts/changes.json they make scripts fit that version as far as is known.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from facts.bindings_oracle import Bindings
from facts.oracles import OptTool
from tdls.catalogue.catalogue import Catalogue
from tdls.settings.llvm_versions import version_name, version_named

UNREGISTERED = '"q.q"() {{q = #{}.q}} : () -> ()'
"""A text that an MLIR reads if it lacks a dialect, since all texts may have unregistered ones."""
_PARTS = re.compile(r"^\s*// -----.*$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*\n?", re.MULTILINE)
_BATCH = 50
_LONGEST = 60_000
_LACKING = re.compile(
    r"not registered|unregistered|not found|is unknown|not known|unknown (?:dialect|type|attribute)|was not loaded"
)
_LACKING_PDL = re.compile(
    r"of type implementing TransformHandleTypeInterface|invalid kind of type|extension was not loaded"
)
"""What a wheel says of types of PDL, which it has without their interfaces."""
_ERROR = re.compile(r"^.*?: error: (.*)$", re.MULTILINE)
_VERIFIED = re.compile(r"'([\w.]+)' op ")


def texts_below(folders: list[Path]) -> list[str]:
    """Return the parts of all files below `folders` without comments, whose RUN lines have versions, too, each once."""
    files = [path for folder in folders for path in sorted(folder.rglob("*.mlir")) if path.stat().st_size < _LONGEST]
    written = (path.read_text(encoding="utf-8", errors="replace") for path in files)
    parts = (_COMMENT.sub("", part).strip() for text in written for part in _PARTS.split(text))
    return list(dict.fromkeys(f"{part}\n" for part in parts if part))


def verdicts(mlir: OptTool | Bindings, texts: list[str]) -> list[str]:
    """Return the error of each text, "" for one that this MLIR reads, and "lacking" where it lacks a dialect."""
    dialects = sorted(Catalogue.shipped().dialects())
    probes = mlir.printed([UNREGISTERED.format(dialect) for dialect in dialects])
    lacking = [dialect for dialect, read in zip(dialects, probes, strict=True) if read is not None]
    names = re.compile(rf"(?<![\w.$-])(?:{'|'.join(lacking)})\.") if lacking else None
    found: list[str] = []
    for start in range(0, len(texts), _BATCH):
        batch = texts[start : start + _BATCH]
        found += ["" if read is not None else "?" for read in mlir.printed(batch)]
    for number, text in enumerate(texts):
        if found[number] and isinstance(mlir, OptTool):
            command = [mlir.command, "--allow-unregistered-dialect", "--mlir-print-op-on-diagnostic=false"]
            process = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
            error = _ERROR.search(process.stderr)
            found[number] = error[1] if error is not None else "crash"
            if process.returncode == 0:
                found[number] = ""
        is_from_pdl = "!pdl." in text and _LACKING_PDL.search(found[number]) is not None
        if is_from_pdl or _LACKING.search(found[number]) or (names is not None and names.search(text)):
            found[number] = "lacking"
    return found


def said(texts: list[str]) -> list[tuple[set[str], set[str], dict[str, str]]]:
    """Return the versions that each text fits by tdls, certainly and as far as is known, and a finding for others."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number:06}.mlir").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "tdls", "versions", "--format", "json", "--payload", "--no-cache", folder]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found: list[tuple[set[str], set[str], dict[str, str]]] = [(set(), set(), {})] * len(texts)
    for file in json.loads(output)["files"]:
        unsure = set(map(str, file["as_far_as_known"]))
        why = {
            version: each["message"]
            for version, those in file["findings"].items()
            for each in those
            if each["level"] == "error"
        }
        found[int(Path(file["path"]).stem)] = ({*map(str, file["fits"])} - unsure, unsure, why)
    return found


def main() -> int:
    """Print the numbers of each version; 1 if something certain is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--mlir", action="append", required=True, metavar="VERSION=TOOL", help="as for oracle.versions")
    parser.add_argument("--show", action="store_true", help="print each text that tdls judges otherwise")
    arguments = parser.parse_args()
    texts = texts_below(arguments.folders)
    answers: dict[str, list[str]] = {}
    for name, _, command in (each.partition("=") for each in arguments.mlir):
        tool, _, package = command.partition(":")
        version = version_named(name)
        name = version_name(version) if version is not None else name
        answers[name] = verdicts(Bindings(tool, package) if package else OptTool(tool), texts)
        print(f"{name}: reads {answers[name].count('')} of {len(texts)} texts", flush=True)
    numbers = [number for number in range(len(texts)) if any(not each[number] for each in answers.values())]
    fits = dict(zip(numbers, said([texts[number] for number in numbers]), strict=True))
    wrong = 0
    rejecting: dict[str, set[str]] = defaultdict(set)
    pairs: Counter[str] = Counter()
    for name, errors in answers.items():
        if version_named(name) is None:
            continue
        counts: Counter[str] = Counter()
        for number in numbers:
            certain, unsure, why = fits[number]
            error = errors[number]
            if error in ("lacking", "?", "crash"):
                continue
            said_so = "fits" if name in certain else "as far as is known" if name in unsure else "does not fit"
            if said_so == "does not fit" and name not in why and not error:
                said_so = "is warned of"  # a part of it is ignored there, or finds nothing
            counts[f"{'rejected' if error else 'read'}, {said_so}"] += 1
            is_wrong = said_so == ("fits" if error else "does not fit")
            wrong += is_wrong
            if error:
                pairs[said_so] += 1
            if is_wrong and (verified := _VERIFIED.search(error)):
                rejecting[verified[1]].add(name)
            if is_wrong and arguments.show:
                print(f"{name}: {said_so}, but {error or f'is read: {why.get(name)}'}\n{texts[number]}")
        print(f"{name}: {dict(sorted(counts.items()))}")
    print(f"texts that some LLVM reads and another rejects: {dict(pairs)}")
    for name, versions in sorted(rejecting.items()):
        print(f"{name}: {sorted(versions)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
