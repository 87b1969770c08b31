-- Returns a function that runs a scenario as a coroutine which a timer resumes, so that Neovim handles keys and messages
-- in between, and writes its report as JSON to the file that TDLS_TEST_REPORT names.

local scenario = {}

-- Calls `again` after each five seconds in vain, for requests that a busy server refuses.
function scenario.wait_for(what, condition, again)
  for tick = 1, 600 do
    local value = condition()
    if value then
      return value
    end
    if again and tick % 100 == 0 then
      again()
    end
    coroutine.yield()
  end
  error("waited in vain for " .. what)
end

function scenario.go_to(text, offset)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. text, "cW") > 0, "no such text: " .. text)
  vim.fn.cursor(vim.fn.line("."), vim.fn.col(".") + (offset or 0))
end

function scenario.floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
    end
  end
end

function scenario.press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), "m", false)
end

function scenario.lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local function finish(report)
  report.messages = vim.split(vim.api.nvim_exec("messages", true), "\n", { trimempty = true })
  local file = assert(io.open(vim.env.TDLS_TEST_REPORT, "w"))
  file:write(vim.fn.json_encode(report))
  file:close()
  vim.cmd("qall!")
end

return function(run)
  local report = {}
  local routine = coroutine.create(function()
    run(report, scenario)
  end)
  local timer = vim.loop.new_timer()
  timer:start(
    50,
    50,
    vim.schedule_wrap(function()
      if coroutine.status(routine) == "dead" then
        return
      end
      local went_well, problem = coroutine.resume(routine)
      if not went_well then
        report.problem = tostring(problem)
      end
      if coroutine.status(routine) == "dead" then
        timer:stop()
        finish(report)
      end
    end)
  )
end
