package encode

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/boogie/instantiate"
	"hornbeam/frontend/boogie/loops"
)

// Options say what of a program is encoded, and how.
type Options struct {
	// Entry names the procedure that runs begin with; empty stands for those that boogie.Entries finds, and procedures that
	// only call each other.
	Entry string
	// ErrorProcedures are those that may not be entered, beside reach_error and __VERIFIER_error.
	ErrorProcedures []string
	// Modular takes calls by their contracts and loops by their invariants, and every procedure with a body for an entry.
	Modular bool
	// Blocks chooses the cut points.
	Blocks Blocks
	// Native, with Modular, makes clauses for a proof by contracts that holds for the whole program. Assumptions about all
	// values are not used for some of them, but put beside the clauses (Encoding.Universals). A where clause is assumed
	// only where a run assumes it, a procedure {:inline} is taken by its body, and only what the entries reach is looked at.
	Native bool
	// Everywhere, with Native, looks at every procedure with a body instead of what the entries reach.
	Everywhere bool
	// Candidates says which constants marked {:existential true} are taken to be true; others are false.
	Candidates map[string]bool
	// Surviving says which specifications and assertions marked {:candidate} are taken to hold, by their places: these are
	// checked, and then assumed. Others are left out.
	Surviving map[chc.Position]bool
}

// Blocks says how large the parts of a program are that become single clauses.
type Blocks uint8

// The choices of cut points.
const (
	// Loops cuts at the heads of loops, and where runs meet that have made different calls.
	Loops Blocks = iota
	// Basic cuts at every block.
	Basic
	// Single cuts at every command.
	Single
	// Procedures makes a procedure of every loop, as loops.Extract does, and cuts nowhere else: all predicates are those of
	// procedures. Runs that have made different calls become clauses of their own; where there would be too many, and at the
	// loops that cannot be extracted, it cuts all the same. Encoding.Program is the program in which loops are procedures.
	// Modular knows loops by their invariants, so that it makes no difference then.
	Procedures
)

// errorNames are the procedures that benchmarks agree never to enter.
var errorNames = []string{"reach_error", "__VERIFIER_error"}

// encoder is one encoding.
type encoder struct {
	options Options
	ctx     context.Context
	tallies tally
	pool    *term.Pool
	program *ast.Program
	// source is the program in which loops are no procedures.
	source *ast.Program
	// roots are those of the entries that runs begin with, or that Everywhere only makes entries.
	roots, entries []*ast.Procedure
	encoding       *Encoding

	// procedures are those that entries reach, callers first.
	procedures []*ast.Procedure
	built      map[*ast.Implementation]*flow.Graph
	graphs     map[*ast.Procedure][]*flow.Graph
	effects    map[*ast.Procedure]*effects
	symbols    *symbols
	functions  *functions
	datatypes  *datatypes

	summaries, failures map[*ast.Procedure]*chc.Predicate
	points              map[*flow.Block]*chc.Predicate
	// named has the maps that give values which exist for all values of something.
	named map[*term.Term]bool
	// extensional says that there are quantifiers or lambda expressions, so that it matters where maps differ.
	extensional bool
	// atExit has the entries whose exits are errors.
	atExit map[*ast.Procedure]bool
	// called has what some procedure calls, inlined what is taken by its body although others are by their contracts.
	called, inlined map[*ast.Procedure]bool
	notes           map[string]bool
}

// Encode returns the clauses of a checked program: they have a model if and only if no run of an entry fails, as far as
// System.Approximation says nothing else. What is not supported is an error that wraps boogie.ErrUnsupported.
func Encode(ctx context.Context, program *ast.Program, pool *term.Pool, o Options) (encoding *Encoding, err error) {
	program, err = instantiate.Program(program, func(p *ast.Procedure) bool {
		return p.Name == o.Entry || isEntryPoint(p)
	}, slices.Concat(errorNames, o.ErrorProcedures))
	if err != nil {
		return nil, err
	}
	source := program
	var origins map[ast.Stmt]ast.Stmt
	if o.Blocks == Procedures && !o.Modular {
		program, origins = loops.Extract(program)
	}
	e := &encoder{
		options: o, ctx: ctx, pool: pool, program: program, source: source,
		built: map[*ast.Implementation]*flow.Graph{}, graphs: map[*ast.Procedure][]*flow.Graph{}, effects: map[*ast.Procedure]*effects{},
		summaries: map[*ast.Procedure]*chc.Predicate{}, failures: map[*ast.Procedure]*chc.Predicate{},
		points: map[*flow.Block]*chc.Predicate{}, called: map[*ast.Procedure]bool{}, inlined: map[*ast.Procedure]bool{}, atExit: map[*ast.Procedure]bool{}, named: map[*term.Term]bool{}, notes: map[string]bool{},
		encoding: &Encoding{
			System: &chc.System{Pool: pool}, Program: program, Origins: origins,
			Meanings: map[*chc.Predicate]*Meaning{}, Segments: map[*chc.Clause]*Segment{}, Queries: map[*chc.Clause]*ast.Procedure{},
			Starts: map[*chc.Clause]*Start{}, Universals: map[*chc.Clause][]Universal{},
			Candidates: map[*chc.Predicate][]*term.Term{},
		},
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case unsupported:
			encoding, err = nil, p.err
		case interrupted:
			encoding, err = nil, fmt.Errorf("encode a program: %w", p.err)
		default:
			panic(p)
		}
	}()
	if err := e.findEntries(); err != nil {
		return nil, err
	}
	for _, a := range program.Approximated {
		e.approximate(a.Pos, "%s", a.What)
	}
	e.encoding.Entries, e.encoding.Roots = e.entries, e.roots
	for _, p := range e.entries {
		if e.hasResidue(p) {
			e.atExit[p] = true
		}
	}
	e.reach()
	e.datatypes = newDatatypes(e)
	e.datatypes.find()
	e.encoding.Instances = func(t *ast.Map) [][]ast.Type { return e.datatypes.instances[sortKey(t)] }
	e.extensional = e.speaksOfAll()
	e.functions = newFunctions(e)
	e.encoding.Instance = func(g *ast.Function, types []ast.Type) *ast.Function {
		return e.functions.instances[e.functions.instanceName(g, types)]
	}
	e.symbols = newSymbols(e)
	e.computeEffects()
	e.symbols.spread()
	for _, p := range e.procedures {
		e.goOn()
		for _, g := range e.graphs[p] {
			e.body(p, g)
		}
	}
	for _, p := range e.entries {
		e.query(p)
	}
	if !e.options.Modular {
		e.offer()
	}
	e.encoding.Obligations = e.findObligations()
	e.assume()
	e.encoding.Symbols = map[*term.Term]int{}
	for _, t := range e.symbols.constants {
		e.encoding.Symbols[t] = 0
	}
	for g, t := range e.symbols.maps {
		e.encoding.Symbols[t] = len(g.Params)
	}
	return e.encoding, nil
}

// interrupted is what ends encoding where its context does.
type interrupted struct{ err error }

// goOn ends encoding if its context has ended.
func (e *encoder) goOn() {
	if err := e.ctx.Err(); err != nil {
		panic(interrupted{err})
	}
}

// graph is the control flow of an implementation, which is built once.
func (e *encoder) graph(impl *ast.Implementation) *flow.Graph {
	g := e.built[impl]
	if g == nil {
		g = flow.Build(impl)
		if e.options.Blocks == Single {
			g.Split()
		}
		e.built[impl] = g
	}
	return g
}

// speaksOfAll reports whether there is a quantifier or a lambda expression in the axioms or in what is reached.
func (e *encoder) speaksOfAll() bool {
	found := false
	e.eachReached(func(x ast.Expr) { found = found || x != nil && quantified(x) })
	return found
}

// hasResidue reports whether a procedure has what Corral's instrumentation leaves of assertions: a flag says that one
// failed, and the run comes to the procedure's exit when it does.
func (e *encoder) hasResidue(p *ast.Procedure) bool {
	for _, impl := range p.Implementations {
		for _, c := range e.graph(impl).Commands() {
			if s, ok := c.Source.(*ast.Assume); ok && s.Attributes.Has("OldAssert") {
				return true
			}
		}
	}
	return false
}

// byContract reports whether calls of a procedure are taken by its contract.
func (e *encoder) byContract(p *ast.Procedure) bool {
	return e.options.Modular && !e.inlined[p] || len(p.Implementations) == 0
}

// predicate adds a predicate.
func (e *encoder) predicate(name string, m *Meaning) *chc.Predicate {
	p := &chc.Predicate{ID: len(e.encoding.System.Predicates), Name: name}
	for _, a := range m.Arguments {
		if a.Variable == nil {
			p.Sorts, p.ArgNames = append(p.Sorts, e.functions.sort(a.Function)), append(p.ArgNames, a.Function.Name)
			continue
		}
		name := a.Variable.Name
		if a.When == AtEntry && a.Variable.Kind == ast.Global {
			name = "old(" + name + ")"
		}
		p.Sorts, p.ArgNames = append(p.Sorts, e.sort(a.Variable.Type, a.Variable.Pos)), append(p.ArgNames, name)
	}
	e.encoding.System.Predicates = append(e.encoding.System.Predicates, p)
	e.encoding.Meanings[p] = m
	return p
}

func at(when When, vs ...*ast.Variable) []Argument {
	out := make([]Argument, len(vs))
	for i, v := range vs {
		out[i] = Argument{When: when, Variable: v}
	}
	return out
}

// input says what a procedure depends on: constants, parameters and the globals that it reads.
func (e *encoder) input(p *ast.Procedure) []Argument {
	return append(append(e.symbols.arguments(p), at(AtEntry, p.In...)...), at(AtEntry, e.effects[p].reads...)...)
}

// summary is the predicate that relates what goes into a procedure with what comes out.
func (e *encoder) summary(p *ast.Procedure) *chc.Predicate {
	if e.summaries[p] == nil {
		args := append(e.input(p), at(Now, e.effects[p].writes...)...)
		e.summaries[p] = e.predicate(p.Name, &Meaning{Kind: Summary, Procedure: p, Arguments: append(args, at(Now, p.Out...)...)})
	}
	return e.summaries[p]
}

// failure is the predicate of what a procedure may fail with.
func (e *encoder) failure(p *ast.Procedure) *chc.Predicate {
	if e.failures[p] == nil {
		e.failures[p] = e.predicate(p.Name+" fails", &Meaning{Kind: Failure, Procedure: p, Arguments: e.input(p)})
	}
	return e.failures[p]
}

// add adds a clause; a nil head makes it a query.
func (e *encoder) add(pos chc.Position, body []chc.App, constraint *term.Term, head *chc.App) *chc.Clause {
	c := &chc.Clause{ID: len(e.encoding.System.Clauses), Pos: pos, Body: slices.Clone(body), Constraint: constraint, Head: head}
	e.encoding.System.Clauses = append(e.encoding.System.Clauses, c)
	return c
}

// approximate notes, once, that the clauses allow more runs than the program.
func (e *encoder) approximate(pos chc.Position, format string, args ...any) {
	e.encoding.System.Approximation = chc.Over
	note := fmt.Sprintf("%s: %s", pos, fmt.Sprintf(format, args...))
	if !e.notes[note] {
		e.notes[note] = true
		e.encoding.System.Notes = append(e.encoding.System.Notes, note)
	}
}

// query asks whether a run of an entry fails, or reaches the exit where that is an error.
func (e *encoder) query(p *ast.Procedure) {
	preds := []*chc.Predicate{e.failure(p)}
	if e.atExit[p] {
		preds = append(preds, e.summary(p))
	}
	for _, pred := range preds {
		s := e.entryState(p)
		var args []*term.Term
		for _, a := range e.encoding.Meanings[pred].Arguments {
			args = append(args, s.argument(e, a))
		}
		body := []chc.App{{Pred: pred, Args: args}}
		s.facts = append(s.facts, e.instances(s.universals, s.pool, s.facts, body, nil)...)
		c := e.add(p.Pos, body, s.constraint(e), nil)
		e.note(c, s)
		c.Name = p.Name
		e.encoding.Queries[c] = p
		e.encoding.Starts[c] = e.start(p, s)
	}
}

// start is what a run begins with in the state of a query.
func (e *encoder) start(p *ast.Procedure, s *state) *Start {
	out := &Start{Variables: map[*ast.Variable]*term.Term{}, Functions: map[*ast.Function]*term.Term{}, ByZero: map[ast.BinaryOp]*term.Term{}}
	maps.Copy(out.Variables, e.symbols.constants)
	maps.Copy(out.Variables, s.entry)
	for _, v := range p.In {
		out.Variables[v] = s.now[v]
	}
	for f, t := range e.symbols.maps {
		switch f {
		case byZeroDiv:
			out.ByZero[ast.Div] = t
		case byZeroMod:
			out.ByZero[ast.Mod] = t
		case byZeroReal:
			out.ByZero[ast.RealDiv] = t
		default:
			out.Functions[f] = t
		}
	}
	return out
}
