package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hornbeam/bench/families"
	"hornbeam/bench/task"
)

// WritePrograms writes the instances of a family of C programs at these sizes into a folder, the safe one and the one with the
// fault, and returns them as tasks.
func WritePrograms(program families.Program, sizes []int, folder string) ([]task.Task, error) {
	var tasks []task.Task
	for _, n := range sizes {
		for _, bug := range []bool{false, true} {
			name := fmt.Sprintf("%s-%04d", program.Name, n)
			if bug {
				name += "-bug"
			}
			var text strings.Builder
			if err := program.Write(&text, n, bug); err != nil {
				return nil, fmt.Errorf("write generated tasks: %w", err)
			}
			file := filepath.Join(folder, name+".c")
			if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
				return nil, fmt.Errorf("write generated tasks: %w", err)
			}
			one, err := task.Load(file)
			if err != nil {
				return nil, err
			}
			one[0].Family = program.Name
			tasks = append(tasks, one...)
		}
	}
	return tasks, nil
}
