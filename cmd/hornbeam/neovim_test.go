package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// drive edits two files in Neovim and prints what it knows of them: a Boogie program whose assertion fails, which is repaired and gets
// what was proved, and a C program that cannot be read.
const drive = `
local function await(what, found)
  local value
  if not vim.wait(60000, function() value = found(); return value end, 20) then
    print("waited in vain for " .. what)
    vim.cmd("qa!")
  end
  return value
end
local function diagnostic(text)
  local d = await(text, function()
    for _, d in ipairs(vim.diagnostic.get(0)) do
      if d.message:find(text, 1, true) then return d end
    end
  end)
  print(string.format("%d:%d %d %s", d.lnum + 1, d.col + 1, d.severity, text))
end
vim.cmd("edit count.bpl")
diagnostic("unknown variable y")
vim.api.nvim_buf_set_lines(0, 2, 3, false, { "  var i: int;" })
await("no error", function() return #vim.diagnostic.get(0) == 0 end)
vim.cmd("silent write")
diagnostic("unsafe: assertion i != n")
vim.api.nvim_buf_set_lines(0, 5, 6, false, { "  assert i == n;" })
vim.cmd("silent write")
diagnostic("main: safe")
local about = { textDocument = vim.lsp.util.make_text_document_params() }
about.range = { start = { line = 0, character = 0 }, ["end"] = { line = 7, character = 0 } }
about.context = { diagnostics = {} }
local actions = await("actions", function()
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", about, 5000) or {}) do
    if answer.result and #answer.result > 0 then return answer.result end
  end
end)
vim.lsp.util.apply_workspace_edit(actions[#actions].edit, "utf-16")
vim.cmd("silent write")
diagnostic("main: safe")
vim.cmd("edit wrong.c")
diagnostic("undefined: m")
vim.cmd("qa!")
`

// The settings for Neovim in docs/editors.md that its version is for start the server, which says what is wrong while one types, gives
// verdicts on save, and inserts what was proved.
func TestNeovim(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("NOT TESTED: the settings for Neovim need nvim, and there is none on the PATH")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	folder := t.TempDir()
	version, err := exec.CommandContext(ctx, program, "--headless", "-u", "NONE", "+lua io.stdout:write(vim.lsp.config and 'new' or 'old')", "+qa!").Output()
	require.NoError(t, err)
	documentation, err := os.ReadFile("../../docs/editors.md")
	require.NoError(t, err)
	blocks := strings.Split(string(documentation), "```lua\n")
	require.Len(t, blocks, 3)
	block := blocks[1]
	if string(version) == "old" {
		block = blocks[2]
	}
	init, _, _ := strings.Cut(block, "```\n")
	for name, text := range map[string]string{
		"init.lua": init, "drive.lua": drive,
		"count.bpl": "procedure main(n: int) requires n >= 0;\n{\n  var i: int; i := y;\n  i := 0;\n  while (i < n) { i := i + 1; }\n  assert i != n;\n}\n",
		"wrong.c":   "int main(void) { return m; }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	command := exec.CommandContext(ctx, program, "--headless", "-n", "-i", "NONE", "-u", "init.lua", "+luafile drive.lua")
	command.Dir = folder
	command.Env = append(os.Environ(), "HOME="+folder, "XDG_STATE_HOME="+folder, "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	said, err := command.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Equal(t, []string{
		"3:20 1 unknown variable y", "6:3 1 unsafe: assertion i != n", "1:11 4 main: safe", "1:11 4 main: safe", "1:25 1 undefined: m",
	}, strings.Split(strings.ReplaceAll(strings.TrimSpace(string(said)), "\r", ""), "\n"))
	annotated, err := os.ReadFile(filepath.Join(folder, "count.bpl"))
	require.NoError(t, err)
	require.Contains(t, string(annotated), "invariant i <= n;")
}
