package read_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/tree"
)

// What C leaves the order of open is found, and nothing else.
func TestUnsequenced(t *testing.T) {
	for text, want := range map[string]string{
		"i = i++;":                 "i",
		"i = ++i + 1;":             "i",
		"a[i] = i++;":              "i",
		"j = i++ + i;":             "i",
		"j = i + i++;":             "i",
		"f(i++, i);":               "i",
		"f(i++, i++);":             "i",
		"i += i++;":                "i",
		"i = j = i++;":             "i",
		"if (i++ == i) j = 1;":     "i",
		"j = ({ i = i++; i; });":   "i",
		"i++ + j++ + j + i;":       "ji",
		"i = i + 1;":               "",
		"i += i;":                  "",
		"a[i++] = j++;":            "",
		"j = i++ + j;":             "",
		"i = (i++, i * 2);":        "",
		"j = i++ && i++;":          "",
		"j = i++ ? i : i + 1;":     "",
		"i = f(i++, 2);":           "",
		"i = i++ && 1;":            "",
		"i = (j = 1);":             "",
		"p = &i; *p = i++;":        "",
		"for (i = 0; i < 3; i++);": "",
		"a[0] = a[1] = 3;":         "",
	} {
		p, err := c.Read(context.Background(), "t.c", []byte("int f(int, int); int main(void) { int i = 1, j = 2, a[9], *p; "+text+" }"), c.Options{Model: c.LP64})
		require.NoError(t, err)
		got := ""
		for _, x := range tree.Unsequenced(p.Function("main").Body) {
			got += x.Object.Name
		}
		require.Equal(t, want, got, text)
	}
}
