-- Checks the modules of a program, by the lens above the function; TDLS_TEST_ANSWER is the answer to the question before.
-- Reports the question, the answer to the repeated command, and the findings then.

dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/scenario.lua")(function(report, scenario)
  vim.lsp.handlers["window/showMessageRequest"] = function(_, params)
    report.question = params.message
    for _, action in ipairs(params.actions) do
      if action.title == vim.env.TDLS_TEST_ANSWER then
        return action
      end
    end
    return vim.NIL
  end
  local client = scenario.wait_for("the server", function()
    return vim.lsp.get_clients({ name = "tdls", bufnr = 0 })[1]
  end)
  scenario.wait_for("the lens", function()
    vim.lsp.codelens.refresh({ bufnr = 0 })
    return #vim.lsp.codelens.get(0) > 0
  end)
  scenario.go_to("def build")
  vim.lsp.codelens.run()
  scenario.wait_for("the question", function()
    return report.question
  end)
  local function findings()
    local found = vim.diagnostic.get(0)
    return #found > 0 and found
  end
  if vim.env.TDLS_TEST_ANSWER ~= "Not now" then
    scenario.wait_for("findings of what the lens ran", findings)
  end
  local arguments = { { uri = vim.uri_from_bufnr(0), ["function"] = "build", show = false } }
  local answer
  client:request("workspace/executeCommand", { command = "tdls.checkSchedule", arguments = arguments }, function(_, result)
    answer = result
  end)
  report.answer = scenario.wait_for("the answer", function()
    return answer
  end)
  if report.answer.status ~= "refused" then
    report.diagnostics = scenario.wait_for("findings", findings)
  end
end)
