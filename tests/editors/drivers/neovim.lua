-- Uses Neovim as a person would, and reports its observations.

dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/scenario.lua")(function(report, scenario)
  scenario.wait_for("diagnostics", function()
    return #vim.diagnostic.get(0) > 0
  end)
  report.diagnostics = vim.tbl_map(function(diagnostic)
    return { line = diagnostic.lnum, message = diagnostic.message, code = diagnostic.code }
  end, vim.diagnostic.get(0))

  scenario.go_to("transform.structured.tile_using_for", 25)
  scenario.press("K")
  report.hover = scenario.wait_for("the hover", scenario.floating_text, function()
    scenario.press("K")
  end)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })

  scenario.go_to("transform.yield")
  scenario.press("O    transform.loop.unr<C-x><C-o>")
  local completion = scenario.wait_for("completion", function()
    local info = vim.fn.complete_info({ "items", "pum_visible" })
    return info.pum_visible == 1 and info
  end, function()
    scenario.press("<Esc>A<C-x><C-o>")
  end)
  report.completion = vim.tbl_map(function(item)
    return item.word
  end, completion.items)
  scenario.press("<C-e><Esc>u")
  scenario.wait_for("the undo", function()
    return vim.fn.mode() == "n" and vim.fn.search("unr$", "nw") == 0
  end)

  local function rename()
    scenario.go_to("@tile_and_unroll(%matmul", 18)
    vim.lsp.buf.rename("product")
  end
  rename()
  scenario.wait_for("the renaming", function()
    return table.concat(scenario.lines(), "\n"):find("%product", 1, true)
  end, rename)
  report.renamed = scenario.lines()

  -- Indentation, as the documentation sets it up.
  local folder = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h")
  local page = table.concat(vim.fn.readfile(folder .. "/../../../docs/editors.md"), "\n")
  assert(loadstring(page:match("### Indentation in Neovim\n.-```lua\n(.-)```")))()
  vim.cmd("silent! new | setlocal filetype=mlir")
  local typed = {
    "module {",
    "%x = transform.structured.match",
    "    : (!transform.any_op) -> !transform.any_op",
    "transform.foreach %x",
    "    : !transform.any_op {",
    "^bb0(%each: !transform.any_op):",
    "transform.yield",
    "}",
    "}",
  }
  local columns = { 0, 2, 4, 2, 4, 2, 4, 2, 0 }
  for number, line in ipairs(typed) do
    local keys = number == 1 and "i" or "o"
    local own = line:match("^ +") and "<C-u>" or "" -- continuations are indented by hand
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys .. own .. line .. "<Esc>", true, true, true), "xt", false)
  end
  for number, line in ipairs(scenario.lines()) do
    assert(#line:match("^ *") == columns[number], "indentation of: " .. line)
  end
end)
