package read

import (
	"context"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// Program reads a program of one translation unit: text is the C source that positions call name.
func Program(ctx context.Context, name string, text []byte, o source.Options) (*tree.Program, error) {
	return Link(ctx, source.Unit{Name: name, Text: text, Options: o})
}
