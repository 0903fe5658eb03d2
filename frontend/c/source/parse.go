package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// Headers begins the file names of positions in the embedded headers, and Declarations is the file name of positions in what is
// declared before every program.
const (
	Headers      = "<headers>"
	Declarations = "<builtin>"
)

// expansionLimit is the greatest number of tokens that macros may expand to: it can be exponential in the size of the text.
const expansionLimit = 50_000_000

// Options are what reading a program depends on.
type Options struct {
	// Model is tree.ILP32 or tree.LP64; the zero value is LP64.
	Model tree.Model
	// IncludeDirs are folders in which #include looks before the embedded headers.
	IncludeDirs []string
	// Defines are macros, NAME or NAME=VALUE, and Undefines those that are removed behind them.
	Defines, Undefines []string
	// Includes are files that are read before the program, as #include "FILE" in the working directory would.
	Includes []string
	// Standard is the version of C as gcc's -std names it, such as c99 and gnu17; empty is gnu11.
	Standard string
	// Physical says that places are those in the file that is read, though its line markers say where the text is from.
	Physical bool
	// ACSL says that annotations in comments are read.
	ACSL bool
	// Faults is what is asked of the program: it says which conditions of contracts are checked. None stand for assertions.
	Faults fault.Set
	// Modular is the name of the function that is to be proved by itself, with those that it calls taken by their contracts; empty
	// for the program.
	Modular string
}

// Unit is a translation unit: Text is the C source that positions call Name, and #include "..." looks beside Name.
type Unit struct {
	Name    string
	Text    []byte
	Options Options
}

// Parse preprocesses and parses a program behind declarations, and gives pragmas to the function as they are met. The error is
// report.Errors if the program is wrong.
func Parse(s *Text, o Options, declarations string, pragma func([]cc.Token)) (ast *cc.AST, err error) {
	defer func() {
		if p := recover(); p != nil {
			pos := tree.Pos{File: s.Name, Line: 1, Column: 1}
			ast, err = nil, report.Errors{{Pos: pos, Msg: fmt.Sprintf("the parser failed: %v", p), Unsupported: true}}
		}
	}()
	config, err := o.configuration(pragma)
	if err != nil {
		return nil, err
	}
	ast, err = cc.Parse(config, []cc.Source{
		{Name: "<predefined>", Value: o.predefined()},
		{Name: Declarations, Value: declarations},
		{Name: included, Value: o.included()},
		{Name: s.Name, Value: s.Text},
	})
	if err != nil {
		es := parserErrors(s.Name, err)
		if line, column, what := unread(s.Text, es[0].Pos.Line); what != "" && es[0].Pos.File == s.Name {
			es = report.Errors{{Pos: tree.Pos{File: s.Name, Line: line, Column: column}, Msg: what, Unsupported: true}}
		}
		for _, e := range es {
			e.Pos = s.Place(s.Original(e.Pos))
		}
		return nil, es
	}
	return ast, nil
}

// ParseCondition parses an expression behind declarations and definitions of macros, which are directives.
func ParseCondition(text, before string, model tree.Model) (node cc.ExpressionNode, err error) {
	defer func() {
		if p := recover(); p != nil {
			node, err = nil, fmt.Errorf("the parser failed: %v", p)
		}
	}()
	config, err := Options{Model: model}.configuration(func([]cc.Token) {})
	if err != nil {
		return nil, err
	}
	ast, err := cc.Parse(config, []cc.Source{
		{Name: "<predefined>", Value: Options{Model: model}.predefined()},
		{Name: "<before>", Value: before},
		{Name: "<condition>", Value: "void __hornbeam_condition(void) { " + text + "\n; }\n"},
	})
	if err != nil {
		return nil, parserErrors("<condition>", err)
	}
	last := ast.TranslationUnit
	for last.TranslationUnit != nil {
		last = last.TranslationUnit
	}
	for l := last.ExternalDeclaration.FunctionDefinition.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		if l.BlockItem != nil && l.BlockItem.Case == cc.BlockItemStmt && l.BlockItem.Statement.Case == cc.StatementExpr {
			if e := l.BlockItem.Statement.ExpressionStatement.ExpressionList; e != nil {
				return e, nil
			}
		}
	}
	return nil, fmt.Errorf("no condition")
}

// configuration sets the parser up without asking the host for anything.
func (o Options) configuration(pragma func([]cc.Token)) (*cc.Config, error) {
	arch := "amd64"
	if o.Model.PointerBytes == 4 {
		arch = "386"
	}
	abi, err := cc.NewABI("linux", arch)
	if err != nil {
		return nil, fmt.Errorf("setting up the parser for %s: %w", o.Model.Name, err)
	}
	return &cc.Config{
		ABI:             abi,
		FS:              &fileSystem{},
		FSOnly:          true,
		IncludePaths:    append(append([]string{"@"}, o.IncludeDirs...), Headers),
		SysIncludePaths: append(slices.Clone(o.IncludeDirs), Headers),
		UnsignedEnums:   true,
		ExpansionLimit:  expansionLimit,
		PragmaHandler:   func(tokens []cc.Token) error { pragma(tokens); return nil },
		HasBuiltin:      func(string) bool { return false },
	}, nil
}

// predefined are the definitions of macros before the program: those that gcc predefines, and the given ones.
func (o Options) predefined() string {
	var b strings.Builder
	b.WriteString(common)
	if o.Model.PointerBytes == 4 {
		b.WriteString(ilp32)
	} else {
		b.WriteString(lp64)
	}
	version, strict, ok := standard(o.Standard)
	if !ok {
		version = "201112L"
	}
	if version != "" {
		fmt.Fprintf(&b, "#define __STDC_VERSION__ %s\n", version)
	}
	if strict {
		b.WriteString("#define __STRICT_ANSI__ 1\n")
	}
	for _, d := range o.Defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		// The last definition of a name counts.
		plain, _, _ := strings.Cut(name, "(")
		fmt.Fprintf(&b, "#undef %s\n#define %s %s\n", plain, name, value)
	}
	for _, name := range o.Undefines {
		fmt.Fprintf(&b, "#undef %s\n", name)
	}
	return b.String()
}

// included is the file name of positions in directives that stand for Options.Includes.
const included = "<command line>"

// included are directives for the files that are read before the program.
func (o Options) included() string {
	var b strings.Builder
	for _, file := range o.Includes {
		// The parser looks for absolute names in folders, too.
		if here, err := os.Getwd(); err == nil && filepath.IsAbs(file) {
			if relative, err := filepath.Rel(here, file); err == nil {
				file = relative
			}
		}
		fmt.Fprintf(&b, "#include %q\n", file)
	}
	return b.String()
}

// standards are the values of __STDC_VERSION__ by the names that gcc's -std has for versions of C; empty is none.
var standards = map[string]string{
	"89": "", "90": "", "9x": "199901L", "99": "199901L", "1x": "201112L", "11": "201112L", "17": "201710L", "18": "201710L",
	"2x": "202311L", "23": "202311L",
}

// CheckStandard returns what is wrong with the name of a version of C.
func CheckStandard(name string) error {
	if _, _, ok := standard(name); !ok {
		return fmt.Errorf("%s is no version of C: give c89, c99, c11, c17, c23 or the same with gnu, such as gnu17", name)
	}
	return nil
}

// standard is the value of __STDC_VERSION__ in a version of C, and whether the version has no extensions.
func standard(name string) (version string, strict, ok bool) {
	number, gnu := strings.CutPrefix(name, "gnu")
	if !gnu {
		if number, ok = strings.CutPrefix(name, "iso9899:"); ok {
			number = map[string]string{"1990": "90", "1999": "99", "2011": "11", "2017": "17", "2018": "18", "2024": "23"}[number]
		} else if number, ok = strings.CutPrefix(name, "c"); !ok || name == "" {
			return "", false, false
		}
	}
	version, ok = standards[number]
	return version, !gnu, ok
}

// common are the macros that gcc predefines for both data models and programs ask for, and __g, which rewrite writes.
const common = `
#define __STDC__ 1
#define __g(...) __attribute__((__VA_ARGS__))
#define __STDC_HOSTED__ 1
#define __GNUC__ 4
#define __GNUC_MINOR__ 8
#define __GNUC_PATCHLEVEL__ 0
#define __VERSION__ "hornbeam"
#define __linux__ 1
#define __linux 1
#define __unix__ 1
#define __ELF__ 1
#define __CHAR_BIT__ 8
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ 1234
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __INT_MAX__ 0x7fffffff
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __INT8_TYPE__ signed char
#define __INT16_TYPE__ short int
#define __INT32_TYPE__ int
#define __UINT8_TYPE__ unsigned char
#define __UINT16_TYPE__ short unsigned int
#define __UINT32_TYPE__ unsigned int
#define __CHAR16_TYPE__ short unsigned int
#define __CHAR32_TYPE__ unsigned int
`

// ilp32 and lp64 are those of one data model, as the System V ABI for i386 and x86-64 has them.
const (
	ilp32 = `
#define __i386__ 1
#define __i386 1
#define __LONG_MAX__ 0x7fffffffL
#define __SIZEOF_LONG__ 4
#define __SIZEOF_POINTER__ 4
#define __SIZEOF_SIZE_T__ 4
#define __INT64_TYPE__ long long int
#define __UINT64_TYPE__ long long unsigned int
#define __SIZE_TYPE__ unsigned int
#define __CPROVER_size_t unsigned int
#define __PTRDIFF_TYPE__ int
#define __INTPTR_TYPE__ int
#define __UINTPTR_TYPE__ unsigned int
#define __WCHAR_TYPE__ long
`
	lp64 = `
#define __x86_64__ 1
#define __x86_64 1
#define __LP64__ 1
#define _LP64 1
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_INT128__ 16
#define __INT64_TYPE__ long int
#define __UINT64_TYPE__ long unsigned int
#define __SIZE_TYPE__ unsigned long
#define __CPROVER_size_t unsigned long
#define __PTRDIFF_TYPE__ long
#define __INTPTR_TYPE__ long
#define __UINTPTR_TYPE__ unsigned long
#define __WCHAR_TYPE__ int
`
)
