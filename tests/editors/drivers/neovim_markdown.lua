-- Shows each text of a file as a hover does, and reports those in which Neovim sees a link or HTML.
local texts = vim.fn.json_decode(vim.fn.readfile(vim.env.TDLS_TEST_FILE))
local active = {}
vim.cmd("syntax on")
for _, text in ipairs(texts) do
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_set_current_buf(buffer)
  vim.lsp.util.stylize_markdown(buffer, vim.split(text, "\n", { plain = true }), {})
  local is_active = false
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    for column = 1, #line do
      for _, syntax in ipairs(vim.fn.synstack(number, column)) do
        local name = vim.fn.synIDattr(syntax, "name")
        is_active = is_active or name:match("Link") or name:match("Url") or name:match("^htmlTag") ~= nil
      end
    end
  end
  if is_active then
    table.insert(active, text)
  end
  vim.api.nvim_buf_delete(buffer, { force = true })
end
vim.fn.writefile({ vim.fn.json_encode({ active = active, shown = #texts }) }, vim.env.TDLS_TEST_REPORT)
vim.cmd("qa!")
