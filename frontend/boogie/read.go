package boogie

import (
	"strconv"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/report"
)

// Options are what reading a program depends on.
type Options struct {
	// Dialect is whose language the program is in; DialectAuto, the zero value, looks at the source.
	Dialect Dialect
	// Strict requires modifies clauses that name all globals that a procedure changes; otherwise what is missing is
	// inferred.
	Strict bool
	// Lenient lets types not fit together in assignments and bodies of functions, as in programs by some versions of
	// SMACK: such an assignment becomes a havoc, such a function loses its body, and Program.Approximated tells.
	Lenient bool
	// Entries are the procedures from which on a generated program is read; when there are none, package boogie's Entries
	// chooses.
	Entries []string
	// Index is the source's place among the program's files, from 0: FILE_0 is defined for #if in the first one, and so on.
	Index int
	// Defines are further names that are defined for #if.
	Defines []string
}

// Dialect says which dialect to read.
type Dialect uint8

// The choices of a dialect.
const (
	// DialectAuto takes a source for Ultimate's when it has a % operator or the comment //#Safe or //#Unsafe.
	DialectAuto Dialect = iota
	// DialectBoogie is Boogie 2's own language.
	DialectBoogie
	// DialectUltimate is Ultimate Automizer's language.
	DialectUltimate
)

// maxSource is how long a source may be.
const maxSource = 1 << 30

// Parse reads the syntax of a program: the tree has names that are not looked up yet (Check does that). file is what
// positions call the source. The error is Errors; the tree is nil then.
func Parse(file string, src []byte, o Options) (*ast.Program, error) {
	program, err := parse(file, src, o)
	if err != nil {
		return nil, err
	}
	if err := addLibrary(program, string(src)); err != nil {
		return nil, err
	}
	return program, nil
}

// parse is Parse without what the library adds.
func parse(file string, src []byte, o Options) (*ast.Program, error) {
	r := &reporter{}
	program := &ast.Program{}
	report.Stopping(func() {
		if len(src) > maxSource {
			r.Unsupportedf(chc.Position{File: file, Line: 1, Column: 1}, "sources of more than %d bytes", maxSource)
			return
		}
		text := preprocess(r, file, string(src), append([]string{"FILE_" + strconv.Itoa(o.Index)}, o.Defines...))
		ultimate := o.Dialect == DialectUltimate || o.Dialect == DialectAuto && markedUltimate(text)
		lx := lex(r, file, text, ultimate)
		if lx.percent && !ultimate && o.Dialect == DialectAuto {
			ultimate = true
			r.Errors = nil
			text = preprocess(r, file, string(src), append([]string{"FILE_" + strconv.Itoa(o.Index)}, o.Defines...))
			lx = lex(r, file, text, true)
		}
		if ultimate {
			program.Dialect = ast.Ultimate
		}
		p := &parser{reporter: r, src: text, files: lx.files, tokens: lx.tokens, kind: lx.tokens[0].kind, ultimate: ultimate}
		if lx.percent && !ultimate {
			p.refusePercent()
		}
		p.program()
		program.Declarations = p.declarations
	})
	if err := r.Err(); err != nil {
		return nil, err
	}
	return program, nil
}

// refusePercent reports the first % of a source that is to be Boogie's.
func (p *parser) refusePercent() {
	for i := range p.tokens {
		if p.tokens[i].kind == tokPercent {
			p.Errorf(p.posOf(&p.tokens[i]), "the operator %% is Ultimate's; Boogie's is mod")
			return
		}
	}
}

// markedUltimate reports whether a source says by a comment that it belongs to Ultimate's tests.
func markedUltimate(src string) bool {
	for rest := src; ; {
		i := strings.Index(rest, "//")
		if i < 0 {
			return false
		}
		rest = rest[i+2:]
		if text := strings.TrimLeft(rest[:min(len(rest), 40)], " \t"); strings.HasPrefix(text, "#Safe") || strings.HasPrefix(text, "#Unsafe") {
			return true
		}
	}
}

// Read parses and checks a program: it returns a tree in which everything is resolved and typed. Of a Generated program
// it keeps what the entries reach (see Prune) and checks only that, leniently. The error is Errors.
func Read(file string, src []byte, o Options) (*ast.Program, error) {
	p, err := Parse(file, src, o)
	if err != nil {
		return nil, err
	}
	if Generated(p) {
		entries := o.Entries
		if len(entries) == 0 {
			entries = Entries(p)
		}
		p = Prune(p, entries...)
		o.Lenient = true
	}
	if err := Check(p, o); err != nil {
		return nil, err
	}
	return p, nil
}
