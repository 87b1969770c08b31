"""Runs inside a Python that has MLIR's bindings: verifies, prints and transforms modules, or looks names up.

``bindings_runner.py PACKAGE registered`` reads operation names, one a line, and writes ``true`` or ``false`` for each.
``bindings_runner.py PACKAGE passes`` does the same with names of passes and of pipelines. ``bindings_runner.py PACKAGE
pipelines`` writes for each name of a pass the text that MLIR prints for it, as a JSON string. ``bindings_runner.py
PACKAGE run [PIPELINE]`` reads modules, each a JSON string in a line, and writes for each the printed module as a JSON
string, or ``null`` where it does not parse, verify or pass the pipeline. ``bindings_runner.py PACKAGE generic`` does
the same without a pipeline, in the generic form.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any


def main() -> None:
    """See the module."""
    package, command, *rest = sys.argv[1:]
    ir = importlib.import_module(f"{package}.ir")
    if command == "registered":
        context = ir.Context()
        for line in sys.stdin:
            print(json.dumps(context.is_registered_operation(line.strip())))
        return
    pass_manager = importlib.import_module(f"{package}.passmanager").PassManager
    if command == "passes":
        for line in sys.stdin:
            print(json.dumps(_is_pass(ir, pass_manager, line.strip())))
        return
    if command == "pipelines":
        for line in sys.stdin:
            with ir.Context():
                print(json.dumps(str(pass_manager.parse(f"any({line.strip()})"))), flush=True)
        return
    is_generic = command == "generic"
    for line in sys.stdin:
        print(json.dumps(_run(ir, pass_manager, json.loads(line), *rest, is_generic=is_generic)), flush=True)


def _is_pass(ir: Any, pass_manager: Any, name: str) -> bool:
    with ir.Context():
        try:
            pass_manager.parse(f"any({name})")
        except ValueError:
            return False
        return True


def _run(ir: Any, pass_manager: Any, text: str, pipeline: str = "", *, is_generic: bool) -> str | None:
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        try:
            module = ir.Module.parse(text)
            if pipeline:
                pass_manager.parse(pipeline).run(module.operation)
        except (ir.MLIRError, RuntimeError, ValueError):
            return None
        printed: str = module.operation.get_asm(print_generic_op_form=is_generic, use_local_scope=is_generic)
        return printed


if __name__ == "__main__":
    main()
