// Package translate turns a resolved C program into Boogie in the dialect of package machine. Package origin says what
// each part of the result stands for, package usage what the translation depends on.
//
// The program is whole: it has what main reaches, and an entry procedure that initialises the globals and calls main. Each
// function becomes a procedure with one result, or one per scalar of a struct. What a function does in which order is fixed
// as from left to right: expressions become terms without effects, and what has effects is put before them as statements.
//
// Memory is taken apart as far as names allow. A scalar whose address is not used is a variable; an array that is only
// indexed is a map of its own; a struct is a variable for each of its scalars. A pointer parameter through which a function
// only reads and writes, and which callers give addresses of named objects, is no pointer at all: there is an instance of the
// procedure for each choice of objects, which names globals and takes local objects as parameters that go in and out. What
// remains, behind pointers, is in maps from addresses, one for each region that package region tells apart.
//
//	translate.go     the program as a whole; what can't be handled
//	instance.go      procedures for functions, by what their pointers stand for; names
//	procedure.go     the body of a procedure
//	statement.go     statements, loops and jumps
//	value.go         expressions with a value
//	condition.go     conditions, and what decides what a run does
//	operator.go      operators, literals and their folding, conversions
//	float.go         floating numbers
//	place.go         places
//	assign.go        assignments, values of struct type
//	storage.go       objects as variables; what is kept of a program's state; the scopes of objects in memory
//	initial.go       initialisers
//	memory.go        what is behind pointers
//	copies.go        structs in memory, memory that is accessed in several ways, and bit-fields in memory
//	allocate.go      objects in memory, and their first contents
//	safety.go        checks of accesses to memory, and of what is freed
//	validity.go      when an address is within an object that exists; what contracts ask about that, and memory that is not the program's
//	metadata.go      what SeaHorn's functions ask about memory, and these functions
//	bare.go          values that come from objects without a value, as variables of package bare say
//	call.go          calls
//	inplace.go       calls that are translated in place: guards, and definitions of the library
//	special.go       functions that mean something by their names
//	intrinsics.go    functions that copy or fill memory, and those of bits
//	math.go          the functions of <math.h> and <fenv.h>
//	assumptions.go   what verdicts assume
package translate

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/ledger"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/translate/bare"
	"hornbeam/frontend/c/translate/frame"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// Options say how a program is translated.
type Options struct {
	// Faults are the kinds of faults that are looked for; none stands for assertions. Calls of error functions and assertions end
	// runs silently where they are not among them.
	Faults fault.Set
	// Except are checks at which runs end silently, and that are no faults.
	Except map[fault.Check]bool
	// ErrorLabel is a label that it is an error to reach; empty if there is none.
	ErrorLabel string
	// Entry is the function that runs begin with; empty stands for main.
	Entry string
	// Track says what is kept of the program's state.
	Track Track
	// EndAtOverflow ends runs silently at a signed overflow, whose behaviour C leaves undefined.
	EndAtOverflow bool
	// MayFail lets malloc and its likes return a null pointer.
	MayFail bool
	// Stops says what becomes of runs that come to what can't be handled.
	Stops Stops
}

// Result is a translated program.
type Result struct {
	// Program is in the dialect of package machine; EntryName is its entry procedure.
	Program   *ast.Program
	EntryName string
	Origins   *origin.Map
	// Assumptions are what the translation assumes about the world, such as that an allocation succeeds.
	Assumptions ledger.Ledger
	// Approximations are places where the program has fewer runs than its translation. With any, a proof holds and a
	// refutation is worth something only after it was replayed.
	Approximations []ast.Approximation
	// Stops are the places that can't be handled, whether or not a run comes there.
	Stops []origin.Unsupported
	// Checks are those that the program has, each once, in the order in which they were found. The value is true for those that a
	// clause is about: the others hold whatever the program does.
	Checks  []fault.Check
	Decided map[fault.Check]bool
	// Fewer says that the translation ends runs at stops, so that nothing is a proof.
	Fewer bool
	// Outside are the names of what may change beside what a clause says whose check was asked for; empty stands for memory.
	Outside []string
	// Unread has the objects whose values cannot matter, and which are therefore left out.
	Unread []*tree.Object
}

// EntryName is the name of the procedure that runs begin with: no function of C can have it.
const EntryName = "$entry"

// Limits up to which something is translated scalar by scalar; what is larger is approximated. They keep single statements of the
// source from becoming thousands in the translation.
const (
	maxCells       = 64            // scalars of an object that are set one by one
	maxStatic      = 256           // scalars of an object that lives as long as the program that are set to zero one by one
	maxCopied      = tree.MaxParts // elements of an array within a struct that are copied one by one
	maxReallocated = 32            // scalars that realloc copies
	maxPadded      = 1 << 12       // bytes of the largest objects whose padding is copied
	maxTracked     = 64            // bytes of a write for which SeaHorn's tracking notes each byte for itself
	openExtent     = 1 << 20       // bytes that are kept for an external object whose last array has no length
)

// translator is one translation.
type translator struct {
	ctx     context.Context
	program *tree.Program
	options Options
	reached *usage.Reached
	usage   *usage.Usage
	bound   *usage.Binding
	effects *usage.Effects
	names   *names

	storages  map[*tree.Object]*storage // of objects that live as long as the program
	constants map[*tree.Object]*big.Int // objects that are never written, with their values
	globals   []*tree.Object            // those with storages, in the order of their first use
	addresses map[*tree.Function]int64

	guards    map[*tree.Function]*guard // nil for functions that are none
	instances map[string]*instance
	queue     []*instance
	memories  *memory // nil until something is behind a pointer
	failed    error   // why memory could not be analysed

	result  *Result
	stopped map[origin.Unsupported]bool
	// checked has the checks, and whether a run may violate them.
	checked map[fault.Check]bool
	// safe is the state with which accesses are checked; nil until something is.
	safe      *safety
	undefined *noted
	// withoutValue are the objects that are declared without a value, unset those of them that may be read before they have one; nil if
	// nobody asks. bare is where values may come to that come from them, flags what is followed of these; nil for nothing.
	withoutValue, unset map[*tree.Object]bool
	bare                *bare.Flow
	flags               *bare.Variables
	// called is how often functions are called in the text of reached ones; nil before it is asked.
	called map[string]int
	// rounding holds the direction of rounding, nil if nobody asks for it; rounds says that it may change.
	rounding *ast.Variable
	rounds   bool
	// frames are the statements that give what others change any values.
	frames []*frame.Frame
	// valids says whether contracts ask which pointers are valid, once that was looked for.
	valids *bool
	// numbered says that an address becomes a number.
	numbered bool
}

// Translate turns a program into Boogie. Where a run comes to what can't be handled, it stops: Result.Stops names these places.
// An *UnsupportedError says that the program can't be handled as a whole; the other errors are that the entry is missing and
// that the context is done.
func Translate(ctx context.Context, program *tree.Program, options Options) (*Result, error) {
	options.Faults = options.Faults.OrAssertions()
	if options.Entry == "" {
		options.Entry = "main"
	}
	entry := program.Function(options.Entry)
	if entry == nil || entry.Body == nil {
		return nil, fmt.Errorf("%s: there is no function %s", program.Name, options.Entry)
	}
	t := &translator{
		ctx: ctx, program: program, options: options, names: newNames(), storages: map[*tree.Object]*storage{},
		constants: map[*tree.Object]*big.Int{}, addresses: map[*tree.Function]int64{}, instances: map[string]*instance{},
		guards:  map[*tree.Function]*guard{},
		stopped: map[origin.Unsupported]bool{}, checked: map[fault.Check]bool{}, undefined: newNoted(),
		result: &Result{Program: &ast.Program{}, EntryName: EntryName, Origins: origin.New()},
	}
	t.reached = usage.Reach(program, entry, t.options.Faults)
	t.effects = usage.NewEffects(program, t.options.Faults)
	t.usage = usage.Examine(t.reached, t.effects)
	t.findUnset()
	t.bound = usage.Bind(t.reached, t.usage, t.unset)
	t.usage.Finish(t.bound)
	t.follow()
	t.roundings()
	t.fold()
	if options.Track != TrackMemory {
		what := map[Track]string{TrackPointers: "what arrays and memory behind pointers hold", TrackRegisters: "what pointers, arrays and memory behind pointers hold"}
		t.result.Approximations = append(t.result.Approximations, ast.Approximation{What: what[options.Track]})
	}

	main := t.instance(entry, nil)
	for len(t.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("translate %s: %w", program.Name, err)
		}
		next := t.queue[0]
		t.queue = t.queue[1:]
		t.body(next)
	}
	t.entry(main)
	if t.failed != nil {
		return nil, t.failed
	}
	var procedures []*ast.Procedure
	for _, i := range t.instances {
		procedures = append(procedures, i.procedure)
	}
	frame.Fill(t.frames, procedures, func(v *ast.Variable) bool {
		o := t.result.Origins.Variables[v]
		return o != nil && o.Behind
	})
	for _, f := range t.frames {
		for _, v := range f.Refused {
			name := ""
			if o := t.result.Origins.Variables[v]; o.Region == nil && o.Object != nil {
				name = o.Object.Name
			}
			if f.Check && !slices.Contains(t.result.Outside, name) {
				t.result.Outside = append(t.result.Outside, name)
			}
		}
	}
	t.declare()
	t.assumptions()
	t.result.Decided = t.checked
	return t.result, nil
}

// declare lists the declarations: variables, then procedures, the entry first.
func (t *translator) declare() {
	p := t.result.Program
	var variables []ast.Declaration
	if t.rounding != nil {
		variables = append(variables, t.rounding)
	}
	for _, o := range t.globals {
		t.storages[o].each(func(s *storage) { variables = append(variables, s.variable) })
	}
	if m := t.memories; m != nil {
		for _, r := range m.order {
			variables = append(variables, m.variables[r])
		}
		for _, g := range m.heaps {
			variables = append(variables, m.tops[g])
		}
		for _, g := range m.sized {
			variables = append(variables, m.sizes[g])
		}
		if m.known != nil {
			for _, v := range m.known.variables {
				variables = append(variables, v)
			}
		}
	}
	variables = append(variables, t.flags.Globals()...)
	if t.safe != nil {
		variables = append(variables, t.safe.variables()...)
	}
	p.Declarations = append(variables, p.Declarations...)
}

// approximate notes that the translation has more runs than the program.
func (t *translator) approximate(n tree.Node, format string, args ...any) {
	a := ast.Approximation{Pos: at(n), What: fmt.Sprintf(format, args...)}
	if !slices.Contains(t.result.Approximations, a) {
		t.result.Approximations = append(t.result.Approximations, a)
	}
}

// at is a node's place in the source.
func at(n tree.Node) chc.Position { return n.Pos() }

// UnsupportedError says what in a program can't be handled as a whole: it is not wrong, but gets no verdict. What can't be
// handled at one place is no error, but a stop there.
type UnsupportedError struct{ Places []origin.Unsupported }

// Error has a line for each place.
func (e *UnsupportedError) Error() string {
	lines := make([]string, len(e.Places))
	for i, p := range e.Places {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Stop is the place that can't be handled at a position; nil if there is none.
func (r *Result) Stop(pos tree.Pos) *origin.Unsupported {
	for i := range r.Stops {
		if r.Stops[i].Pos == pos {
			return &r.Stops[i]
		}
	}
	return nil
}

// Stops says what becomes of a run that comes to what can't be handled.
type Stops uint8

// What becomes of runs at stops.
const (
	// StopsFail takes coming there for an error of its own kind: what is proved holds for all runs.
	StopsFail Stops = iota
	// StopsEnd ends such runs silently: what is found elsewhere is found, and what is proved holds for the other runs only.
	StopsEnd
)

// refuse says that what comes next can't be handled: no run goes on from here, and what is translated after it means nothing.
func (f *function) refuse(pos tree.Pos, format string, args ...any) {
	p := origin.Unsupported{Pos: pos, What: fmt.Sprintf(format, args...)}
	if !f.stopped[p] {
		f.stopped[p] = true
		f.result.Stops = append(f.result.Stops, p)
	}
	if f.options.Stops == StopsEnd {
		f.result.Fewer = true
		f.assume(pos, truthLiteral(pos, false))
		return
	}
	a := &ast.Assert{Pos: pos, Cond: truthLiteral(pos, false), Attributes: ast.Attributes{
		{Pos: pos, Name: "unsupported", Args: []ast.Expr{&ast.StringLiteral{Text: p.What}}},
	}}
	f.result.Origins.Stops[a] = p
	f.add(a)
}

// noted collects names by kind, each once and in the order of their first occurrence.
type noted struct {
	kinds []string
	names map[string][]string
	seen  map[[2]string]bool
}

func newNoted() *noted { return &noted{names: map[string][]string{}, seen: map[[2]string]bool{}} }

func (n *noted) add(kind, name string) {
	if n.names[kind] == nil {
		n.kinds = append(n.kinds, kind)
		n.names[kind] = []string{}
	}
	if key := [2]string{kind, name}; name != "" && !n.seen[key] {
		n.seen[key] = true
		n.names[kind] = append(n.names[kind], name)
	}
}
