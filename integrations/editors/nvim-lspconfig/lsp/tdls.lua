---@brief
---
--- https://github.com/tdls-project/tdls
---
--- Language server for MLIR's Transform dialect. Needs no MLIR; `tdls` can be installed with `pip`, `pipx` or `uv`:
---
--- ```sh
--- pipx install git+https://github.com/tdls-project/tdls@v0.1.0
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'tdls', 'server' },
  filetypes = { 'mlir' },
  root_markers = { 'tdls.toml', 'pyproject.toml', '.git' },
}
