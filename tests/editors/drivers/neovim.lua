-- Uses Neovim as a person would, and writes what was seen as JSON to the file that TDLS_TEST_REPORT names.
-- The scenario runs as a coroutine that a timer resumes, so that Neovim handles keys and messages in between.

local report = { messages = {} }
local scenario

local function finish()
  local file = assert(io.open(vim.env.TDLS_TEST_REPORT, "w"))
  file:write(vim.fn.json_encode(report))
  file:close()
  vim.cmd("qall!")
end

local function wait_for(what, condition)
  for _ = 1, 600 do
    local value = condition()
    if value then
      return value
    end
    coroutine.yield()
  end
  error("waited in vain for " .. what)
end

local function go_to(text, offset)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. text, "cW") > 0, "no such text: " .. text)
  vim.fn.cursor(vim.fn.line("."), vim.fn.col(".") + (offset or 0))
end

local function press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), "m", false)
end

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local function floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
    end
  end
end

local function run()
  wait_for("diagnostics", function()
    return #vim.diagnostic.get(0) > 0
  end)
  report.diagnostics = vim.tbl_map(function(diagnostic)
    return { line = diagnostic.lnum, message = diagnostic.message, code = diagnostic.code }
  end, vim.diagnostic.get(0))

  go_to("transform.structured.tile_using_for", 25)
  press("K")
  report.hover = wait_for("the hover", floating_text)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })

  go_to("transform.yield")
  press("O    transform.loop.unr<C-x><C-o>")
  local completion = wait_for("completion", function()
    local info = vim.fn.complete_info({ "items", "pum_visible" })
    return info.pum_visible == 1 and info
  end)
  report.completion = vim.tbl_map(function(item)
    return item.word
  end, completion.items)
  press("<C-e><Esc>u")
  wait_for("the undo", function()
    return vim.fn.mode() == "n" and vim.fn.search("unr$", "nw") == 0
  end)

  go_to("@tile_and_unroll(%matmul", 18)
  vim.lsp.buf.rename("product")
  wait_for("the renaming", function()
    return table.concat(lines(), "\n"):find("%product", 1, true)
  end)
  report.renamed = lines()
  report.messages = vim.split(vim.api.nvim_exec("messages", true), "\n", { trimempty = true })
end

scenario = coroutine.create(run)
local timer = vim.loop.new_timer()
timer:start(
  50,
  50,
  vim.schedule_wrap(function()
    if coroutine.status(scenario) == "dead" then
      return
    end
    local went_well, problem = coroutine.resume(scenario)
    if not went_well then
      report.problem = tostring(problem)
      report.messages = vim.split(vim.api.nvim_exec("messages", true), "\n", { trimempty = true })
    end
    if coroutine.status(scenario) == "dead" then
      timer:stop()
      finish()
    end
  end)
)
