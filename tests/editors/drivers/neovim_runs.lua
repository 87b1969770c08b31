-- Runs a script from its lens, edits and saves it, and goes from the transformed payload to its source.
-- Reports the contents of the buffers; see neovim.lua for how the scenario goes on.

dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/scenario.lua")(function(report, scenario)
  scenario.wait_for("the server", function()
    local _, client = next(vim.lsp.buf_get_clients(0))
    return client and client.server_capabilities.codeLensProvider
  end)
  scenario.go_to("@__transform_main")
  local lenses = scenario.wait_for("lenses", function()
    vim.lsp.codelens.refresh()
    local found = vim.tbl_filter(function(lens)
      return lens.command ~= nil and lens.command.command == "tdls.run"
    end, vim.lsp.codelens.get(0))
    return #found > 0 and found
  end)
  report.lenses = vim.tbl_map(function(lens)
    return lens.command.title
  end, lenses)

  vim.ui.select = function(items, _, on_choice)
    for _, item in ipairs(items) do
      local lens = item.lens or item[2] or item
      if lens.command and lens.command.command == "tdls.run" then
        return on_choice(item)
      end
    end
  end
  scenario.press("grx")
  local buffer = scenario.wait_for("the payload", function()
    for _, candidate in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(candidate):find("^tdls://") and vim.api.nvim_buf_line_count(candidate) > 3 then
        return candidate
      end
    end
  end)
  report.payload = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  report.name = vim.api.nvim_buf_get_name(buffer)
  report.filetype = vim.bo[buffer].filetype
  report.modifiable = vim.bo[buffer].modifiable
  report.windows = #vim.api.nvim_list_wins()

  scenario.go_to("[4]")
  scenario.press("lr2:write<CR>")
  scenario.wait_for("the new payload", function()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"):find("%c2 = arith", 1, true)
  end)
  report.refreshed = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)

  local address -- of the page in a browser
  vim.ui.open = function(uri)
    address = uri
  end
  local function page_is_at(step)
    local fetch = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())"
    local news = vim.fn.json_decode(vim.fn.system({ "python3", "-c", fetch, address .. "now?after=0" }))
    return news.step == step
  end
  vim.ui.select = function(items, _, on_choice)
    for _, item in ipairs(items) do
      if vim.inspect(item):find("tdls.showStatePage", 1, true) then
        return on_choice(item)
      end
    end
  end
  scenario.go_to("transform.structured.tile_using_for")
  vim.lsp.buf.code_action()
  scenario.wait_for("the page", function()
    return address and page_is_at(2)
  end)
  scenario.go_to("transform.structured.match")
  vim.lsp.buf.document_highlight()
  scenario.wait_for("the step at the cursor", function()
    return page_is_at(1)
  end)
  report.address = address

  vim.api.nvim_set_current_win(vim.fn.bufwinid(buffer))
  scenario.go_to("scf.for")
  vim.lsp.buf.hover()
  report.hover = scenario.wait_for("the hover", scenario.floating_text)
  scenario.go_to("scf.for")
  vim.lsp.buf.declaration()
  report.declared = scenario.wait_for("the source", function()
    return vim.api.nvim_get_current_buf() ~= buffer and vim.fn.line(".")
  end)
end)
