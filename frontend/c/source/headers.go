package source

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"strings"
)

// embedded are the headers that stand for the host's. They declare and define macros, nothing more.
//
//go:embed include
var embedded embed.FS

// fileSystem is what #include sees: the embedded headers under Headers, and, for names that a program writes itself,
// the files beside the program.
type fileSystem struct{}

// Open opens a file by the name that the parser asks for, which for local files is a path that the host understands.
func (*fileSystem) Open(name string) (fs.File, error) {
	if header, ok := strings.CutPrefix(name, Headers+"/"); ok {
		return embedded.Open(path.Join("include", header))
	}
	if strings.HasPrefix(name, "<") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	// A folder can be opened but not read.
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f, nil
}

// Header is the text of a file that a program includes, by the name that places in it have. There is none for those that stand for the
// host's.
func Header(name string) ([]byte, error) {
	if strings.HasPrefix(name, "<") || strings.HasPrefix(name, Headers+"/") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(&fileSystem{}, name)
}
