---@brief
---
--- https://github.com/tdls-project/tdls
---
--- Language server for MLIR's Transform dialect. Needs no MLIR; `tdls` can be installed with `pip`, `pipx` or `uv`:
---
--- ```sh
--- pipx install tdls
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'tdls', 'server' },
  filetypes = { 'mlir' },
  root_markers = { 'tdls.toml', 'pyproject.toml', '.git' },
}
