package translate

import (
	"context"
	"fmt"
	"math/big"

	"hornbeam/chc"
	"hornbeam/chc/ledger"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/tree"
)

// Property is what is asked about a program.
type Property uint8

// The properties.
const (
	// Reach asks whether an error function can be called, an assertion can fail or an error label can be reached.
	Reach Property = iota
	// NoOverflow asks whether a signed operation can overflow.
	NoOverflow
)

// Options say how a program is translated.
type Options struct {
	Property Property
	// ErrorLabel is a label that it is an error to reach; empty if there is none.
	ErrorLabel string
	// Entry is the function that runs begin with; empty stands for main.
	Entry string
	// Track says what is kept of the program's state.
	Track Track
	// EndAtOverflow ends runs silently at a signed overflow, whose behaviour C leaves undefined.
	EndAtOverflow bool
	// Stops says what becomes of runs that come to what can't be handled.
	Stops Stops
}

// Result is a translated program.
type Result struct {
	// Program is in the dialect of package machine; EntryName is its entry procedure.
	Program   *ast.Program
	EntryName string
	Source    *Source
	// Assumptions are what the translation assumes about the world, such as that an allocation succeeds.
	Assumptions ledger.Ledger
	// Approximations are places where the program has fewer runs than its translation. With any, a proof holds and a
	// refutation is worth something only after it was replayed.
	Approximations []ast.Approximation
	// Stops are the places that can't be handled, whether or not a run comes there.
	Stops []Place
	// Fewer says that the translation ends runs at stops, so that nothing is a proof.
	Fewer bool
	// Unread has the objects whose values cannot matter, and which are therefore left out.
	Unread []*tree.Object
}

// EntryName is the name of the procedure that runs begin with: no function of C can have it.
const EntryName = "$entry"

// translator is one translation.
type translator struct {
	ctx     context.Context
	program *tree.Program
	options Options
	reached *reached
	usage   *usage
	bound   *binding
	effects *effectsOf
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

	result    *Result
	stopped   map[Place]bool
	undefined *noted
	// rounding holds the direction of rounding, nil if nobody asks for it; rounds says that it may change.
	rounding *ast.Variable
	rounds   bool
	// numbered says that an address becomes a number.
	numbered bool
}

// Translate turns a program into Boogie. Where a run comes to what can't be handled, it stops: Result.Stops names these places.
// An *UnsupportedError says that the program can't be handled as a whole; the other errors are that the entry is missing and
// that the context is done.
func Translate(ctx context.Context, program *tree.Program, options Options) (*Result, error) {
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
		stopped: map[Place]bool{}, undefined: newNoted(),
		result: &Result{Program: &ast.Program{}, EntryName: EntryName, Source: newSource()},
	}
	t.reached = reach(program, entry, options)
	t.usage = examine(t.reached, options)
	t.effects = newEffects(program, options)
	t.bound = bind(t.reached, t.usage)
	t.usage.finish(t.bound)
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
	t.declare()
	t.assumptions()
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
	p.Declarations = append(variables, p.Declarations...)
}

// approximate notes that the translation has more runs than the program.
func (t *translator) approximate(n tree.Node, format string, args ...any) {
	a := ast.Approximation{Pos: at(n), What: fmt.Sprintf(format, args...)}
	for _, b := range t.result.Approximations {
		if a == b {
			return
		}
	}
	t.result.Approximations = append(t.result.Approximations, a)
}

// at is a node's place in the source.
func at(n tree.Node) chc.Position { return n.Pos() }
