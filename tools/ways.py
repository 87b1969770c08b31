"""How far apart the code is: ``python tools/ways.py`` prints figures that a change can be compared by.

Files executed: those of tdls of which a function ran, for five things that users do, each in a process of its own.
Unrelated parts: files whose functions, classes and constants fall into groups of which none refers to another.
Small helpers: private functions of at most five lines that one place refers to.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from inspect import CO_OPTIMIZED
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[1]
TDLS = ROOT / "server" / "tdls"
SMALL = 5
"""Lines of a small helper, without its docstring."""
PART = 30
"""Lines that a group of definitions has at least to count as a part of its file."""
URI = "file:///script.mlir"
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""
PAYLOAD = """\
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


class Recorder:
    """A profiler of all threads that notes the functions of tdls that are called while it is entered."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, int]] = set()
        self._is_on = False

    def __enter__(self) -> None:
        self._is_on = True

    def __exit__(self, *_: object) -> None:
        self._is_on = False

    def __call__(self, frame: Any, event: str, _: object) -> None:
        """Note a call; classes and modules are no functions."""
        code = frame.f_code
        if self._is_on and event == "call" and code.co_flags & CO_OPTIMIZED and code.co_filename.startswith(str(TDLS)):
            self.functions.add((code.co_filename, code.co_firstlineno))


def blank(recorder: Recorder) -> None:
    """Type a blank in an open document, until its diagnostics are published."""
    from tdls.lsp.server import TdlsServer

    (reads, sends), (receives, writes) = os.pipe(), os.pipe()
    server = TdlsServer()
    streams = os.fdopen(reads, "rb"), os.fdopen(writes, "wb")
    threading.Thread(target=server.start_io, args=streams, daemon=True).start()
    answers = os.fdopen(receives, "rb")

    def send(method: str, params: object, **identity: int) -> None:
        os.write(sends, _framed({"method": method, "params": params, **identity}))

    def wait(is_it: Callable[[Any], bool]) -> None:
        while not is_it(message := _message(answers)):
            if "id" in message and "method" in message:
                os.write(sends, _framed({"id": message["id"], "result": None}))

    def publishes(version: int) -> Callable[[Any], bool]:
        return lambda message: message.get("params") and message["params"].get("version") == version

    capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
    send("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities}, id=1)
    wait(lambda message: message.get("id") == 1)
    send("initialized", {})
    document = {"uri": URI, "version": 1}
    send("textDocument/didOpen", {"textDocument": {**document, "languageId": "mlir", "text": SCRIPT}})
    wait(publishes(1))
    place = {"line": 2, "character": 10}
    change = {"range": {"start": place, "end": place}, "text": " "}
    with recorder:
        params = {"textDocument": {**document, "version": 2}, "contentChanges": [change]}
        send("textDocument/didChange", params)
        wait(publishes(2))
    server.close()


def _framed(message: dict[str, object]) -> bytes:
    content = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(content), content)


def _message(stream: BinaryIO) -> Any:
    length = 0
    while line := stream.readline().strip():
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    return json.loads(stream.read(length))


def rule(recorder: Recorder) -> None:
    """Check the bad example of TD302 with this rule alone, from its text."""
    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.rules import find_rule
    from tdls.catalogue.catalogue import Catalogue

    invalidated, catalogue = find_rule("TD302"), Catalogue.shipped()
    assert invalidated is not None
    with recorder:
        file = SourceFile.of(invalidated.text.example_bad, catalogue)
        assert any(list(invalidated.findings(context)) for context in file.contexts)


def hover(recorder: Recorder) -> None:
    """Ask for the hover of a handle in a script that is read already."""
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.ide.hover.hover import hover as answer
    from tdls.ide.snapshot import Snapshot

    catalogue = Catalogue.shipped()
    snapshot = Snapshot({URI: SourceFile.of(SCRIPT, catalogue)}, catalogue)
    answer(snapshot, URI, SCRIPT.index("@__transform_main"))
    with recorder:
        assert answer(snapshot, URI, SCRIPT.rindex("%matmul") + 1)


def check(recorder: Recorder) -> None:
    """``tdls --check`` of a script, without the cache."""
    _run_command(recorder, "--check", "script.mlir", "--no-cache")


def run(recorder: Recorder) -> None:
    """``tdls run --emit diff`` of a script on its payload."""
    _run_command(recorder, "run", "script.mlir", "--payload", "payload.mlir", "--emit", "diff")


def _run_command(recorder: Recorder, *arguments: str) -> None:
    from tdls.cli.main import main

    sys.argv = ["tdls", *arguments]
    with recorder:
        status = main()
    assert status == 0


FLOWS: dict[str, Callable[[Recorder], None]] = {
    "a blank typed -> diagnostics": blank,
    "TD302 on its own example": rule,
    "hover on a handle": hover,
    "--check of a script": check,
    "run --emit diff": run,
}


def executed(flow: str) -> tuple[int, int]:
    """Return the numbers of files and functions that run in `flow`, in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "script.mlir").write_text(SCRIPT, encoding="utf-8")
        Path(folder, "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
        command = [sys.executable, str(Path(__file__).resolve()), flow]
        variables = {**os.environ, "TDLS_CACHE_DIR": str(Path(folder, "cache"))}
        done = subprocess.run(command, cwd=folder, env=variables, stdout=subprocess.PIPE, check=True)
    files, functions = json.loads(done.stdout.splitlines()[-1])
    return files, functions


def record(flow: str) -> None:
    """Print the numbers of files and functions that run in `flow`, in this process."""
    sys.path.insert(0, str(ROOT / "server"))
    recorder = Recorder()
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    FLOWS[flow](recorder)
    sys.setprofile(None)
    print(json.dumps([len({file for file, _ in recorder.functions}), len(recorder.functions)]), flush=True)
    os._exit(0)


def modules(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the files of a folder that git knows, with their trees."""
    names = subprocess.run(["git", "ls-files", "*.py"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    for name in filter(lambda name: (folder / name).is_file(), names.stdout.split()):
        yield folder / name, ast.parse((folder / name).read_text(encoding="utf-8"))


def parts(module: ast.Module) -> list[int]:
    """Return the lines of each group of definitions that refer to each other, if they are at least `PART`."""
    lines: Counter[str] = Counter()
    neighbours: defaultdict[str, set[str]] = defaultdict(set)
    defining = [(node, names) for node in module.body if (names := _defined(node))]
    everything = {name for _, names in defining for name in names}
    for node, names in defining:
        lines[names[0]] += (node.end_lineno or node.lineno) - node.lineno + 1
        for other in {*names, *(_used(node) & everything)}:
            neighbours[names[0]].add(other)
            neighbours[other].add(names[0])
    sizes, seen = [], set[str]()
    for name in everything:
        group = {name} - seen
        while new := {other for member in group for other in neighbours[member]} - group:
            group |= new
        sizes.append(sum(lines[member] for member in group))
        seen |= group
    return [size for size in sizes if size >= PART]


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _used(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def small_helpers(module: ast.Module) -> int:
    """Count private functions and methods of at most `SMALL` lines to which the file refers once."""
    nodes = list(ast.walk(module))
    references = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    references.update(node.attr for node in nodes if isinstance(node, ast.Attribute))
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return sum(
        function.name.startswith("_")
        and not function.name.endswith("__")
        and references[function.name] == 1
        and _length(function) <= SMALL
        for function in functions
    )


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines from ``def`` to the end, without the docstring."""
    text = function.body[0] if ast.get_docstring(function) is not None else None
    docstring = (text.end_lineno or text.lineno) - text.lineno + 1 if text is not None else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - docstring


def print_figures() -> None:
    """Print everything, one figure a line."""
    for flow in FLOWS:
        files, functions = executed(flow)
        print(f"{files:7,}  files, {functions:,} functions: {flow}", flush=True)
    trees = dict(modules(TDLS))
    apart = {file: sizes for file, tree in trees.items() if len(sizes := parts(tree)) > 1}
    print(f"{len(apart):7,}  files with unrelated parts of at least {PART} lines")
    print(f"{sum(map(small_helpers, trees.values())):7,}  private helpers of at most {SMALL} lines used once")
    for folder in (TDLS, ROOT / "tests"):
        print(f"{sum(_count(file) for file, _ in modules(folder)):7,}  lines of Python in {folder.relative_to(ROOT)}")
    if "--parts" in sys.argv:
        for file, sizes in sorted(apart.items()):
            print(f"{file.relative_to(TDLS)}: {' + '.join(map(str, sorted(sizes, reverse=True)))} lines")


def _count(file: Path) -> int:
    return file.read_text(encoding="utf-8").count("\n")


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in FLOWS:
        record(sys.argv[1])
    print_figures()
