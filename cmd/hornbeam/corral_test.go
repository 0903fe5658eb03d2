package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What scripts look for on Corral's console is there.
func TestCorralConsole(t *testing.T) {
	bug := tempFile(t, "bug.bpl", buggyProgram)
	r := call(t, "", "corral", bug, "/main:main", "/recursionBound:2", "/k:1", "/trackAllVars", "/tryCTrace")
	require.Zero(t, r.code, r.err)
	require.Equal(t, `Program has a potential bug: True bug
FILE(5,3): error PF5001: This assertion can fail

Execution trace:
FILE(2,11): Trace: Thread=1  ()
FILE(4,3): Trace: Thread=1  (n = 21, CALL double)
FILE(1,45): Trace: Thread=1  (r = 42)
FILE(4,3): Trace: Thread=1  (RETURN from double, x = 42)
FILE(5,3): Trace: Thread=1  (x = 42, ASSERTION FAILS assert x != 42; , Done)

Return status: NOK
`, strings.ReplaceAll(r.out, bug, "FILE"))
	require.NotContains(t, call(t, "", "corral", bug, "/noTrace").out, "Execution trace:")

	r = call(t, "", "corral", tempFile(t, "safe.bpl", safeProgram))
	require.Zero(t, r.code)
	require.Equal(t, "Warning: Using default recursion bound of 1\nProgram has no bugs\n\nReturn status: OK\n", r.out)

	deep := tempFile(t, "deep.bpl", "procedure main() { var i: int; i := 0; while (i < 12) { i := i + 1; } assert i != 12; }\n")
	r = call(t, "", "corral", deep, "/recursionBound:3")
	require.Equal(t, "Program has no bugs\nReached recursion bound of 3\n\nReturn status: OK\n", r.out)
	flags := tempFile(t, "config", "/recursionBound:12\n/cex:1 /main:main\n")
	r = call(t, "", "corral", "/flags:"+flags, deep)
	require.Contains(t, r.out, "Program has a potential bug: True bug\n", "a loop may turn as often as the bound says")
}

func TestCorralOfWrongFlagsAndInput(t *testing.T) {
	bug := tempFile(t, "bug.bpl", buggyProgram)
	for _, args := range [][]string{{}, {bug, bug}, {bug, "/recursionBound:some"}, {bug, "/main:nobody"}, {bug, "/flags:" + filepath.Join(t.TempDir(), "missing")}, {bug, "/assertVar:x"}} {
		r := call(t, "", append([]string{"corral"}, args...)...)
		require.Equal(t, exitUsage, r.code, "%v %s", args, r.err)
		require.NotContains(t, r.out, "Program has")
	}
	r := call(t, "", "corral", tempFile(t, "bad.bpl", "procedure main() { assert 5; }"))
	require.Equal(t, exitBadInput, r.code)
	require.NotContains(t, r.out, "Program has")
	r = call(t, "", "corral", bug, "/noSuchFlag:3")
	require.Zero(t, r.code)
	require.Contains(t, r.err, "/noSuchFlag:3 is ignored")
}
