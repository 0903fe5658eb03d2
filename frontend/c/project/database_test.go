package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c/source"
)

func TestDatabaseIsRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("compile_commands.json", []byte(`[
{"directory": "`+dir+`/build", "file": "../src/a.c", "command": "cc -DNAME=\"a b\" -I../include -I /usr/x -O2 -o a.o -c ../src/a.c -UB -include config.h '-DF(x)=x'"},
{"directory": "build", "file": "`+dir+`/src/b.c", "arguments": ["gcc", "-std=gnu99", "-m32", "-isystem", "sys", "-D", "B", "-UB", "-DC", "-UD", "-DD=2", "-MF", "-DNO", "src/b.c"]},
{"directory": "build", "file": "../src/a.c", "command": "cc -DSECOND -c ../src/a.c"},
{"directory": "build", "file": "../src/c.cpp", "command": "c++ -c ../src/c.cpp"}
]`), 0o600))
	d, err := Read("compile_commands.json")
	require.NoError(t, err)
	require.Equal(t, &Database{
		Files: []File{
			{Path: "src/a.c", Options: source.Options{
				IncludeDirs: []string{"include", "/usr/x"}, Defines: []string{"NAME=a b", "F(x)=x"}, Undefines: []string{"B"}, Includes: []string{"build/config.h"},
			}},
			{Path: "src/b.c", ILP32: true, Options: source.Options{
				IncludeDirs: []string{"build/sys"}, Defines: []string{"C", "D=2"}, Undefines: []string{"B"}, Standard: "gnu99",
			}},
		},
		Others: []string{"src/c.cpp"},
	}, d)
	f, ok := d.Find(filepath.Join(dir, "src", "b.c"))
	require.True(t, ok)
	require.True(t, f.ILP32)
	_, ok = d.Find("b.c")
	require.False(t, ok)
}

func TestWhatIsNoDatabaseHasItsPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"[{]":                                   "db.json:1:3: no compilation database: ",
		"[\n{\"file\": 3}]":                     "db.json:2:10: no compilation database: ",
		"[{\"directory\": \".\"}]":              "db.json:1:1: command 1 of the compilation database has no file",
		`[{"file": "a.c", "command": "cc 'a"}]`: "db.json:1:1: command 1 of the compilation database is no command of a shell: ",
		"{\"directory\": \".\"}":                "db.json:1:1: no compilation database: ",
	} {
		require.NoError(t, os.WriteFile("db.json", []byte(text), 0o600))
		_, err := Read("db.json")
		require.ErrorContains(t, err, want)
	}
	_, err := Read("nowhere.json")
	require.ErrorIs(t, err, os.ErrNotExist)
}
