-- Takes the fix that names a library, as a person would, and reports the script and the files that are written.

dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/scenario.lua")(function(report, scenario)
  local function diagnosed(code)
    return function()
      for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
        if diagnostic.code == code then
          return diagnostic
        end
      end
    end
  end
  scenario.wait_for("the error", diagnosed("unknown-symbol"))
  scenario.go_to("@tile", 2)
  local function fix()
    vim.lsp.buf.code_action({
      filter = function(action)
        return action.title:find("^Name ") ~= nil
      end,
      apply = true,
    })
  end
  fix()
  scenario.wait_for("the declaration", function()
    return vim.fn.search("private @tile", "nw") > 0
  end, fix)
  vim.cmd("wall")
  report.lines = scenario.lines()
  scenario.wait_for("no findings", function()
    return #vim.diagnostic.get(0) == 0
  end)
end)
