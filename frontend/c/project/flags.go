package project

import (
	"path/filepath"
	"slices"
	"strings"

	"hornbeam/frontend/c/source"
)

// valued are flags of compilers whose value may be the next argument, and that mean nothing here.
var valued = []string{"-o", "-x", "-MF", "-MT", "-MQ", "-arch", "-target", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang", "-L", "-l", "-T", "-z", "-u", "-G", "-isysroot", "--param", "-imultilib", "-iprefix"}

// flags are what the arguments of a compiler say of reading a file. What they say of code that is made, and of warnings, means
// nothing. Names of files are relative to a folder; narrow is set by -m32.
func flags(arguments []string, folder string) (o source.Options, narrow bool) {
	path := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(folder, name)
	}
	define := func(d string) {
		name, _, _ := strings.Cut(d, "=")
		o.Undefines = slices.DeleteFunc(o.Undefines, func(u string) bool { return u == name })
		o.Defines = append(o.Defines, d)
	}
	undefine := func(name string) {
		o.Defines = slices.DeleteFunc(o.Defines, func(d string) bool { n, _, _ := strings.Cut(d, "="); return n == name })
		o.Undefines = append(o.Undefines, name)
	}
	for len(arguments) > 0 {
		a := arguments[0]
		arguments = arguments[1:]
		value := func(prefix string) (string, bool) {
			rest, ok := strings.CutPrefix(a, prefix)
			if !ok || rest == "" && len(arguments) == 0 {
				return "", false
			}
			if rest == "" {
				rest = arguments[0]
				arguments = arguments[1:]
			}
			return rest, true
		}
		if slices.Contains(valued, a) {
			if len(arguments) > 0 {
				arguments = arguments[1:]
			}
			continue
		}
		switch {
		case a == "-m32":
			narrow = true
		case a == "-m64":
			narrow = false
		case strings.HasPrefix(a, "-std="):
			if s := strings.TrimPrefix(a, "-std="); source.CheckStandard(s) == nil {
				o.Standard = s
			}
		case a == "-ansi":
			o.Standard = "c90"
		default:
			for _, f := range []struct {
				prefix string
				use    func(string)
			}{
				{"-isystem", func(s string) { o.IncludeDirs = append(o.IncludeDirs, path(s)) }},
				{"-iquote", func(s string) { o.IncludeDirs = append(o.IncludeDirs, path(s)) }},
				{"-idirafter", func(s string) { o.IncludeDirs = append(o.IncludeDirs, path(s)) }},
				{"-include", func(s string) { o.Includes = append(o.Includes, path(s)) }},
				{"-imacros", func(s string) { o.Includes = append(o.Includes, path(s)) }},
				{"-I", func(s string) { o.IncludeDirs = append(o.IncludeDirs, path(s)) }},
				{"-D", define},
				{"-U", undefine},
			} {
				if s, ok := value(f.prefix); ok {
					f.use(s)
					break
				}
			}
		}
	}
	return o, narrow
}
