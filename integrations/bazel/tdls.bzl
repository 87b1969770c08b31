"""A test that checks scripts of MLIR's Transform dialect with tdls."""

_LAUNCHER = """#!/bin/sh
export TDLS_CACHE_DIR="${{TEST_TMPDIR:-$(mktemp -d)}}/tdls"
exec {command} "$@"
"""

def _quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"

def _tdls_test_impl(ctx):
    words = ["check", "--no-cache"]
    if ctx.file.config:
        words += ["--config", ctx.file.config.short_path]
    else:
        words.append("--isolated")
    for catalogue in ctx.files.catalogues:
        words += ["--catalogue", catalogue.short_path]
    words += [source.short_path for source in ctx.files.srcs]

    launcher = ctx.actions.declare_file(ctx.label.name + ".sh")
    command = " ".join([_quoted(word) for word in ["./" + ctx.executable.tdls.short_path] + words])
    ctx.actions.write(
        output = launcher,
        content = _LAUNCHER.format(command = command),
        is_executable = True,
    )
    files = ctx.files.srcs + ctx.files.data + ctx.files.catalogues + ctx.files.config + [ctx.executable.tdls]
    runfiles = ctx.runfiles(files = files).merge(ctx.attr.tdls[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = launcher, runfiles = runfiles)]

tdls_test = rule(
    doc = "Checks `srcs`. More options of `tdls check` go to `args`.",
    implementation = _tdls_test_impl,
    test = True,
    attrs = {
        "srcs": attr.label_list(allow_files = True, mandatory = True, doc = "The scripts to check."),
        "data": attr.label_list(allow_files = True, doc = "What the scripts need, such as libraries of sequences."),
        "config": attr.label(allow_single_file = True, doc = "The `tdls.toml` that holds; without it, none."),
        "catalogues": attr.label_list(allow_files = [".json"], doc = "Catalogue files of the project's operations."),
        "tdls": attr.label(executable = True, cfg = "target", mandatory = True, doc = "The program `tdls`."),
    },
)
