package lower

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/ranges"
	"hornbeam/frontend/c/machine"
)

// Options say how a program is lowered.
type Options struct {
	Mode Mode
	// PointerBits is the width of addresses, 32 or 64.
	PointerBits int
	// Unbounded makes signed arithmetic that of mathematical integers, as --int math asks for. It is an assumption about the program.
	Unbounded bool
	// Checked asserts that no unbounded integer leaves the range of its type, so that a proof holds for the machine's integers, too.
	Checked bool
	// Copies maps the copies of statements that Unroll made to their originals.
	Copies map[ast.Stmt]ast.Stmt
	// Elements are the maps that are indexed by elements, with the size of these: see the function Elements. It is not for mode
	// AllVectors.
	Elements map[string]int64
	// Plan says what is exact beyond what the mode makes exact; it may be nil.
	Plan *Plan
	// Known are the ranges that another lowering found, or Unroll. They are used if they are about the same program and options;
	// else, or if it is nil, the program is analysed.
	Known *ranges.Analysis
}

// Plan is the result of refinement so far. The numbers of occurrences are the same in all lowerings of a program.
type Plan struct {
	// Loads assumes that what is read of a map is within its type. That holds in all runs, but is seldom needed.
	Loads bool
	// Exact are the occurrences that are expressed exactly, however large that is.
	Exact map[int]bool
	// Vectors are the classes that are bit-vectors.
	Vectors map[int]bool
}

// Occurrence is an operation that a lowering does not express exactly.
type Occurrence struct {
	ID        int
	Operation machine.Operation
	// Statement is the dialect's statement that it is in.
	Statement ast.Stmt
	// Variable holds its result, an arbitrary value with facts about it, in the lowered procedure.
	Variable string
	// Class is the class of its result.
	Class int
}

// Lowered is a plain Boogie program, checked.
type Lowered struct {
	Program *ast.Program
	// Relation says what a proof and a failing run of Program say about the machine's program.
	Relation Relation
	// Origin has for each statement of Program the dialect's statement that it comes from.
	Origin map[ast.Stmt]ast.Stmt
	// Occurrences are the operations that are not exact.
	Occurrences []*Occurrence
	// Overflows are the places of the operations that Options.Checked asserts something about.
	Overflows map[chc.Position]bool
	// MayOverflow are the places of the operations on integers without bounds whose result may leave the range of its type.
	MayOverflow map[chc.Position]bool
	// Loads says that something is read of a map that is not assumed to be within its type.
	Loads bool
	// Classes is the number of classes of words, Vectors of those that are bit-vectors.
	Classes, Vectors int
	// Corrections is the number of operations on integers that ranges do not prove not to wrap around.
	Corrections int
	// Known are the ranges of the dialect's program.
	Known *ranges.Analysis
}

// numbering numbers the operations of a program in the order of the source.
func numbering(p *ast.Program) map[ast.Expr]int {
	ids := map[ast.Expr]int{}
	machine.EachExpression(p, func(e ast.Expr) {
		if _, _, ok := machine.Recognise(e); ok && !has(ids, e) {
			ids[e] = len(ids)
		}
	})
	return ids
}

func has[K comparable, V any](m map[K]V, k K) bool {
	_, ok := m[k]
	return ok
}

// lowering is the lowering of a program.
type lowering struct {
	Options
	out       *Lowered
	names     *namer
	functions *functions
	classes   *classes
	ranges    *ranges.Analysis
	procedure *procedure
	ids       map[ast.Expr]int
	err       error
}

// Lower makes a plain Boogie program of one in the machine dialect that machine.Declare has resolved, and does not change it.
func Lower(ctx context.Context, p *ast.Program, o Options) (*Lowered, error) {
	l, err := newLowering(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if err := l.lower(ctx, p); err != nil {
		return nil, err
	}
	if err := boogie.Check(l.out.Program, boogie.Options{}); err != nil {
		return nil, fmt.Errorf("check a lowered program: %w", err)
	}
	return l.out, nil
}

// newLowering analyses a program: its classes and ranges.
func newLowering(ctx context.Context, p *ast.Program, o Options) (l *lowering, err error) {
	if o.Plan == nil {
		o.Plan = &Plan{}
	}
	l = &lowering{
		Options: o, out: &Lowered{Origin: map[ast.Stmt]ast.Stmt{}, Overflows: map[chc.Position]bool{}, MayOverflow: map[chc.Position]bool{}}, names: &namer{},
		functions: &functions{declared: map[string]bool{}},
	}
	l.ids = numbering(p)
	l.classes = newClasses(p, o)
	if ro := (ranges.Options{PointerBits: o.PointerBits, Bounded: o.bounded()}); o.Known.IsOf(p, ro) {
		l.ranges = o.Known
	} else if l.ranges, err = ranges.Analyse(ctx, p, ro); err != nil {
		return nil, err
	}
	l.out.Known = l.ranges
	return l, nil
}

// lower makes the program, which is not checked yet.
func (l *lowering) lower(ctx context.Context, p *ast.Program) error {
	program := &ast.Program{Dialect: p.Dialect}
	for _, d := range p.Declarations {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("lower a program: %w", err)
		}
		if d := l.declaration(d); d != nil {
			program.Declarations = append(program.Declarations, d)
		}
	}
	if l.err != nil {
		return l.err
	}
	program.Declarations = append(l.functions.list, program.Declarations...)
	l.out.Program = program
	l.out.Relation = l.relation()
	l.out.Classes, l.out.Vectors = l.classes.count()
	return nil
}

// relation returns how the runs of the lowered program relate to the machine's.
func (l *lowering) relation() Relation {
	switch {
	case l.Mode == NoVectors && !l.Checked:
		return Different
	case l.Mode == NoVectors:
		// Runs without overflow are the machine's; runs with one fail.
		return More
	case len(l.out.Occurrences) > 0:
		return More
	}
	return Equal
}

func (l *lowering) fail(pos chc.Position, format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%s: %s", pos, fmt.Sprintf(format, args...))
	}
}

// wrapping reports whether integers wrap around in a mode.
func (o Options) wrapping() bool { return o.Mode == Ranged || o.Mode == Guided }

// bounded reports whether integers are within the range of their type in all runs that do not fail.
func (o Options) bounded() bool { return o.wrapping() || o.Checked }

// wraps reports whether integers of the type wrap around.
func (l *lowering) wraps(t machine.Type) bool { return l.wrapping() && !(l.Unbounded && t.Signed) }

func (l *lowering) declaration(d ast.Declaration) ast.Declaration {
	switch d := d.(type) {
	case *ast.TypeDecl:
		if machine.SortNamed(d.Name) != (machine.Sort{}) || d.Name == machine.Float && d.Synonym != nil {
			return nil
		}
		return &ast.TypeDecl{Pos: d.Pos, Attributes: d.Attributes, Name: d.Name, Synonym: d.Synonym}
	case *ast.Variable:
		return l.variable(d)
	case *ast.Function:
		if _, ok := machine.Parse(d.Name); ok {
			return nil
		}
		f := &ast.Function{Pos: d.Pos, Attributes: d.Attributes, Name: d.Name, Params: l.variables(d.Params), Result: l.variable(d.Result)}
		return f
	case *ast.Axiom:
		return &ast.Axiom{Pos: d.Pos, Attributes: d.Attributes, Cond: l.condition(d.Cond)}
	case *ast.Procedure:
		return l.lowerProcedure(d)
	}
	l.fail(d.At(), "a declaration that the machine dialect does not have: %T", d)
	return nil
}

func (l *lowering) variables(vs []*ast.Variable) []*ast.Variable {
	out := make([]*ast.Variable, len(vs))
	for i, v := range vs {
		out[i] = l.variable(v)
	}
	return out
}

func (l *lowering) variable(v *ast.Variable) *ast.Variable {
	return &ast.Variable{Pos: v.Pos, Kind: v.Kind, Attributes: v.Attributes, Name: v.Name, Unique: v.Unique, Syntax: l.syntax(v.Syntax, l.classes.vectorVariable(v))}
}

// syntax lowers a type; vector says that words in it are bit-vectors.
func (l *lowering) syntax(t ast.TypeSyntax, vector bool) ast.TypeSyntax {
	switch t := t.(type) {
	case *ast.TypeName:
		switch s := machine.SortNamed(t.Name); {
		case s.Shape == machine.WordShape && vector:
			return typeName(t.Pos, vectorType(s.Word.Bits))
		case s.Shape == machine.NumberShape && l.Mode == AllVectors:
			return typeName(t.Pos, vectorType(l.PointerBits))
		case s.Shape != machine.OtherShape:
			return typeName(t.Pos, machine.Int)
		}
		return typeName(t.Pos, t.Name)
	case *ast.MapSyntax:
		m := &ast.MapSyntax{Pos: t.Pos, Range: l.syntax(t.Range, vector)}
		for _, d := range t.Domain {
			m.Domain = append(m.Domain, l.syntax(d, false))
		}
		return m
	}
	return t
}
