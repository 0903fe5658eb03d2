package hornbeam_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// room is a folder with the rooms that packages in it may import beside each other. docs/architecture.md says what lives there.
type room struct {
	folder string
	below  []string
}

// rooms are the rooms of the repository from the top down: the first whose folder a package is in is its room.
var rooms = []room{
	{"cmd", []string{"bench", "lsp", "verify", "frontend", "engine/portfolio", "engine", "chc", "internal/smt", "internal/earlysignal", "internal/bounded"}},
	{"bench", []string{"engine"}},
	{"lsp", []string{"verify", "frontend", "engine/portfolio", "engine", "chc", "internal/smt", "internal/bounded"}},
	{".", []string{"verify", "frontend", "engine/portfolio", "engine", "chc", "internal/smt"}},
	{"verify", []string{"frontend", "engine/portfolio", "engine", "chc", "internal/smt", "internal/bounded", "internal/cputime", "internal/work"}},
	{"frontend/c", []string{"frontend/boogie", "frontend", "chc", "internal/smt", "internal/work"}},
	{"frontend/svlib", []string{"frontend/boogie", "frontend/smtlib", "frontend", "chc", "internal/smt"}},
	{"frontend/smtlib", []string{"frontend", "chc"}},
	{"frontend/boogie", []string{"frontend", "chc", "internal/smt", "internal/work"}},
	{"frontend", []string{"chc"}},
	{"engine/portfolio", []string{
		"spacer", "engine/abstraction", "engine/affine", "engine/catamorphism", "engine/houdini", "engine/indices", "engine/inline", "engine/narrow", "engine/unfold", "engine/walk", "engine", "chc", "internal/cputime", "internal/smt", "internal/work",
	}},
	{"spacer", []string{"engine", "internal/itp", "mbp", "chc", "internal/smt"}},
	{"engine/abstraction", []string{"engine", "internal/itp", "mbp", "chc", "internal/smt"}},
	{"engine/affine", []string{"engine", "internal/itp", "mbp", "chc", "internal/smt", "internal/work"}},
	{"engine/catamorphism", []string{"engine", "internal/itp", "mbp", "chc", "internal/smt", "internal/work"}},
	{"engine/houdini", []string{"engine", "internal/itp", "mbp", "chc", "internal/smt", "internal/work"}},
	{"engine/indices", []string{"engine", "chc", "internal/smt"}},
	{"engine/inline", []string{"engine", "internal/itp", "mbp", "chc", "internal/smt", "internal/work"}},
	{"engine/narrow", []string{"engine", "chc", "internal/work"}},
	{"engine/walk", []string{"engine", "chc", "internal/work"}},
	{"engine", []string{"chc", "internal/smt"}},
	{"chc/transform", []string{"internal/itp", "mbp", "chc", "internal/smt", "internal/work"}},
	{"internal/itp", []string{"mbp", "chc/term", "internal/smt", "internal/work"}},
	{"mbp", []string{"chc/term", "internal/smt"}},
	{"chc/rule", []string{"chc"}},
	{"chc/unfold", []string{"chc", "internal/work"}},
	{"chc/witness", []string{"chc", "internal/smt", "internal/work"}},
	{"chc/partial", []string{"chc", "internal/smt"}},
	{"chc/reduce", []string{"chc/term", "internal/smt"}},
	{"internal/smt", []string{"chc/term", "internal/cputime"}},
	{"chc/term", nil},
	{"chc", []string{"chc/term"}},
	// For tests.
	{"internal/hornoracle", []string{"chc"}},
	{"internal/layouts", nil},
	{"internal/browsertest", nil},
	{"internal/earlysignal", nil},
	{"internal/bounded", nil},
	{"internal/cputime", nil},
	{"internal/work", []string{"internal/cputime"}},
}

// within reports whether a folder is a room or below it; the root's room is the root alone.
func within(folder, room string) bool {
	return folder == room || room != "." && strings.HasPrefix(folder, room+"/")
}

// files lists the folders of the repository that hold Go files which are not tests, with these.
func files(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	require.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && file != "."):
			return filepath.SkipDir
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			folder := path.Dir(filepath.ToSlash(file))
			found[folder] = append(found[folder], file)
		}
		return nil
	}))
	return found
}

// Packages import what the table of rooms allows, and none is outside of it.
func TestImportsGoDown(t *testing.T) {
	for folder, sources := range files(t) {
		i := slices.IndexFunc(rooms, func(r room) bool { return within(folder, r.folder) })
		require.GreaterOrEqual(t, i, 0, "%s is in no room", folder)
		own := rooms[i]
		for _, file := range sources {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, spec := range parsed.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				require.NoError(t, err)
				imported, ours := strings.CutPrefix(name, "hornbeam/")
				if !ours || within(imported, own.folder) {
					continue
				}
				// A package is in the first room that it is within: to allow a room does not allow those inside it that have a row.
				j := slices.IndexFunc(rooms, func(r room) bool { return within(imported, r.folder) })
				require.GreaterOrEqual(t, j, 0, "%s imports %s, which is in no room", file, imported)
				allowed := slices.ContainsFunc(own.below, func(below string) bool {
					return below == rooms[j].folder || strings.HasPrefix(rooms[j].folder, below+"/") && below != "engine"
				})
				require.True(t, allowed, "%s imports %s", file, imported)
			}
		}
	}
}

// A folder holds what one can look over, and a package says in a sentence what it is.
func TestFoldersAreSmall(t *testing.T) {
	const most = 25
	for folder, sources := range files(t) {
		require.LessOrEqual(t, len(sources), most, folder)
		documented := false
		for _, file := range sources {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			documented = documented || parsed.Doc != nil
		}
		require.True(t, documented, "package %s has no comment", folder)
	}
}

// Where a package's comment lists the package's files, it lists all of them but the one that it is in, and no others.
func TestListsOfFilesAreComplete(t *testing.T) {
	name := regexp.MustCompile(`[\w*]+\.go\b`)
	for folder, sources := range files(t) {
		for _, file := range sources {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			listed := listedFiles(parsed.Doc.Text(), name)
			if len(listed) < 2 {
				continue
			}
			for _, pattern := range listed {
				require.True(t, slices.ContainsFunc(sources, func(s string) bool { return matches(t, pattern, s) }), "%s lists %s", file, pattern)
			}
			for _, s := range sources {
				known := s == file || path.Base(filepath.ToSlash(s)) == "doc.go" || slices.ContainsFunc(listed, func(pattern string) bool { return matches(t, pattern, s) })
				require.True(t, known, "the comment of package %s does not list %s", folder, s)
			}
		}
	}
}

// listedFiles are the names of files in the indented lines of a comment.
func listedFiles(comment string, name *regexp.Regexp) []string {
	var out []string
	for line := range strings.Lines(comment) {
		if strings.HasPrefix(line, "\t") {
			out = append(out, name.FindAllString(line, -1)...)
		}
	}
	return out
}

func matches(t *testing.T, pattern, file string) bool {
	t.Helper()
	ok, err := path.Match(pattern, path.Base(filepath.ToSlash(file)))
	require.NoError(t, err)
	return ok
}
