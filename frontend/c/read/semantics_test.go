package read_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// The assertions of testdata/run hold when the programs are run as they are read, in both data models: conversions,
// bit-fields, initialisers, control flow. They hold when gcc compiles them, too.
func TestAssertionsHold(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, model := range []tree.Model{c.ILP32, c.LP64} {
			program, err := c.Read(context.Background(), file, text, c.Options{Model: model})
			require.NoError(t, err)
			runnable, err := interpret.New(program, interpret.Options{})
			require.NoError(t, err)
			outcome, err := runnable.Run(context.Background(), interpret.NewScript(), nil)
			require.NoError(t, err)
			require.Equal(t, interpret.Ended, outcome.Kind, "%s: %s", model.Name, outcome)
		}
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Log("there is no gcc to compile it with: ", err)
			continue
		}
		binary := filepath.Join(t.TempDir(), "program")
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, "gcc", "-std=gnu11", "-fwrapv", "-w", "-o", binary, file).CombinedOutput()
		require.NoError(t, err, "%s", out)
		out, err = exec.CommandContext(ctx, binary).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
