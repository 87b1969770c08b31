-- Looks at the state behind operations, steps through a run, and opens a payload of it.
-- Reports the contents of the buffers; see neovim.lua for how the scenario goes on.

dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/scenario.lua")(function(report, scenario)
  scenario.wait_for("the server", function()
    local _, client = next(vim.lsp.buf_get_clients(0))
    return client and client.server_capabilities.hoverProvider
  end)
  local script = vim.api.nvim_get_current_win()

  local function shown()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.bo[vim.api.nvim_win_get_buf(window)].filetype == "diff" then
        return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      end
    end
    return {}
  end
  local function wait_for_state(words)
    return scenario.wait_for("the state of " .. words, function()
      local lines = shown()
      return (lines[1] or ""):find(words, 1, true) and lines
    end)
  end

  scenario.go_to("transform.structured.tile_using_for")
  vim.cmd("TdlsState")
  report.tiled = wait_for_state("tile_using_for")
  scenario.go_to("transform.structured.match")
  scenario.press("l") -- the cursor has to move
  report.matched = wait_for_state("structured.match")
  vim.cmd("TdlsStep")
  wait_for_state("2 of 2: transform.structured.tile_using_for")
  report.line = vim.api.nvim_win_get_cursor(script)[1]
  vim.cmd("TdlsBack")
  wait_for_state("1 of 2")
  vim.cmd("TdlsStep")
  wait_for_state("2 of 2")
  vim.cmd("TdlsAfter")
  report.after = scenario.wait_for("the payload", function()
    local lines = scenario.lines()
    return vim.api.nvim_buf_get_name(0):find("^tdls://state") and #lines > 3 and lines
  end)
  vim.api.nvim_set_current_win(script)

  scenario.go_to("[4]")
  scenario.press("lxi[[<Esc>:write<CR>")
  report.broken = scenario.wait_for("the outdated state", function()
    local lines = shown()
    return (lines[2] or ""):find("^outdated") and lines
  end)
end)
