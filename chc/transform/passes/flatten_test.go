package passes_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/flatten"
	"hornbeam/chc/witness"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// tupleSorts are the sorts of drawn systems with datatypes, over one pool.
type tupleSorts struct {
	pair, nest, box, unit, option, holder *term.Sort
	all                                   []*term.Sort
}

// newTupleSorts declares (Pair Int Bool), (Nest Pair Int), (Box (Array Int Int) Pair), Unit, an option of a Pair, and a
// Holder with two constructors, one of which has an array of pairs: with it, that array sort is not flattened.
func newTupleSorts(t require.TestingT, p *term.Pool) *tupleSorts {
	field := func(name string, s *term.Sort) term.SelectorDecl {
		return term.SelectorDecl{Name: name, Sort: term.Of(s)}
	}
	data := func(name string, cs ...term.ConstructorDecl) *term.Sort {
		ss, err := p.Datatypes(term.DatatypeDecl{Name: name, Constructors: cs})
		require.NoError(t, err)
		return ss[0]
	}
	ctor := func(name string, fs ...term.SelectorDecl) term.ConstructorDecl {
		return term.ConstructorDecl{Name: name, Selectors: fs}
	}
	s := &tupleSorts{}
	s.pair = data("Pair", ctor("pair", field("fst", term.Int), field("snd", term.Bool)))
	s.nest = data("Nest", ctor("nest", field("inner", s.pair), field("outer", term.Int)))
	s.box = data("Box", ctor("box", field("cells", p.Array(term.Int, term.Int)), field("tag", s.pair)))
	s.unit = data("Unit", ctor("unit"))
	s.option = data("Option", ctor("none"), ctor("some", field("value", s.pair)))
	s.holder = data("Holder", ctor("empty"), ctor("hold", field("held", p.Array(term.Int, s.pair))))
	s.all = []*term.Sort{s.pair, s.nest, s.box, s.unit, s.option, s.holder}
	return s
}

// tupleDrawing draws systems over tuples and arrays of them.
type tupleDrawing struct {
	*rapid.T
	*term.Pool
	sorts []*term.Sort
	// constructs prefers constructor terms.
	constructs bool
}

// drawTuples draws a system over tuples, or over datatypes with several constructors.
func drawTuples(t *rapid.T, variants bool) *chc.System {
	p := term.NewPool()
	s := newTupleSorts(t, p)
	sys := &chc.System{Pool: p, Datatypes: s.all}
	d := &tupleDrawing{T: t, Pool: p, constructs: variants}
	d.sorts = []*term.Sort{term.Int, s.pair, s.nest, p.Array(term.Int, s.pair)}
	clauses := 6
	if variants {
		d.sorts = []*term.Sort{term.Int, s.option, s.holder, s.option}
		clauses = 4
	}
	for _, extra := range []*term.Sort{
		s.unit, s.option, s.box, s.holder, p.Array(term.Int, s.nest), p.Array(term.Int, s.box), p.Array(s.pair, term.Int),
		p.Array(term.Bool, p.Array(term.Int, s.pair)), p.Array(term.Int, s.unit), p.Array(term.Int, s.option),
	} {
		if rapid.IntRange(0, 3).Draw(t, "extra sort") == 0 {
			d.sorts = append(d.sorts, extra)
		}
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "predicates") {
		pred := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i)}
		for range rapid.IntRange(1, 2).Draw(t, "arity") {
			pred.Sorts = append(pred.Sorts, rapid.SampledFrom(d.sorts).Draw(t, "sort"))
		}
		sys.Predicates = append(sys.Predicates, pred)
	}
	for i := range rapid.IntRange(2, clauses).Draw(t, "clauses") {
		sys.Clauses = append(sys.Clauses, d.clause(sys, i))
	}
	return sys
}

func (d *tupleDrawing) chance(n int) bool { return rapid.IntRange(1, n).Draw(d.T, "chance") == 1 }

func (d *tupleDrawing) clause(sys *chc.System, i int) *chc.Clause {
	c := &chc.Clause{ID: i}
	if i > 0 {
		for range rapid.IntRange(0, 2).Draw(d.T, "body") {
			c.Body = append(c.Body, d.app(rapid.SampledFrom(sys.Predicates).Draw(d.T, "predicate"), 0))
		}
	}
	if i == 0 || !d.chance(3) {
		h := d.app(rapid.SampledFrom(sys.Predicates).Draw(d.T, "predicate"), 2)
		c.Head = &h
	}
	var parts []*term.Term
	for range rapid.IntRange(0, 2).Draw(d.T, "conjuncts") {
		parts = append(parts, d.literal(2))
	}
	c.Constraint = d.And(parts...)
	for _, v := range c.Vars() {
		parts = append(parts, d.bounds(v))
	}
	c.Constraint = d.And(parts...)
	return c
}

// bounds keeps the numbers in v small; arrays are mostly equated with something.
func (d *tupleDrawing) bounds(v *term.Term) *term.Term {
	switch s := v.Sort(); {
	case s == term.Int:
		return d.And(d.Le(d.Int(0), v), d.Le(v, d.Int(2)))
	case s.IsDatatype() && len(s.Data.Constructors) == 1:
		var parts []*term.Term
		for _, f := range s.Data.Constructors[0].Selectors {
			parts = append(parts, d.bounds(d.Field(f, v)))
		}
		return d.And(parts...)
	case !d.chance(3):
		return d.True()
	}
	return d.Eq(v, d.term(v.Sort(), 1))
}

func (d *tupleDrawing) app(p *chc.Predicate, depth int) chc.App {
	a := chc.App{Pred: p}
	for _, s := range p.Sorts {
		a.Args = append(a.Args, d.term(s, depth))
	}
	return a
}

func (d *tupleDrawing) literal(depth int) *term.Term {
	s := rapid.SampledFrom(d.sorts).Draw(d.T, "sort")
	f := d.Eq(d.variable(s), d.term(s, depth))
	switch rapid.IntRange(0, 6).Draw(d.T, "literal") {
	case 0:
		f = d.Not(f)
	case 1:
		f = d.Le(d.term(term.Int, depth), d.term(term.Int, depth))
	case 2:
		f = d.term(term.Bool, depth)
	case 3:
		if depth > 0 {
			f = d.Or(f, d.literal(depth-1))
		}
	}
	return f
}

func (d *tupleDrawing) variable(s *term.Sort) *term.Term {
	return d.Var(rapid.SampledFrom([]string{"x", "y"}).Draw(d.T, "variable"), s)
}

// term draws a term of the sort.
func (d *tupleDrawing) term(s *term.Sort, depth int) *term.Term {
	kind := rapid.IntRange(0, 7).Draw(d.T, "term")
	if d.constructs && d.chance(2) {
		kind = 7
	}
	if depth > 0 {
		switch {
		case kind == 0:
			return d.Ite(d.literal(depth-1), d.term(s, depth-1), d.term(s, depth-1))
		case kind < 3:
			if t := d.part(s, depth-1); t != nil {
				return t
			}
		}
	}
	if depth == 0 && kind < 5 || kind == 3 {
		return d.variable(s)
	}
	switch s.Kind {
	case term.IntKind:
		return rapid.SampledFrom([]*term.Term{d.Int(0), d.Int(1), d.Int(2), d.Add(d.variable(s), d.Int(1))}).Draw(d.T, "number")
	case term.BoolKind:
		return rapid.SampledFrom([]*term.Term{d.True(), d.False(), d.variable(s)}).Draw(d.T, "truth value")
	case term.ArrayKind:
		if depth > 0 && kind < 6 {
			return d.Store(d.term(s, depth-1), d.term(s.Index, 0), d.term(s.Elem, depth-1))
		}
		return d.ConstArray(s, d.term(s.Elem, max(0, depth-1)))
	}
	c := rapid.SampledFrom(s.Data.Constructors).Draw(d.T, "constructor")
	args := make([]*term.Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = d.term(f.Sort, max(0, depth-1))
	}
	return d.Construct(c, args...)
}

// part draws a field or an element of the sort from a term of another sort; nil when no sort has such a part. Selectors
// of sorts with several constructors are guarded, as they mean nothing elsewhere.
func (d *tupleDrawing) part(s *term.Sort, depth int) *term.Term {
	var makers []func() *term.Term
	for _, from := range d.sorts {
		if from.IsArray() && from.Elem == s {
			makers = append(makers, func() *term.Term { return d.Select(d.term(from, depth), d.term(from.Index, depth)) })
		}
		if !from.IsDatatype() {
			continue
		}
		for _, c := range from.Data.Constructors {
			for _, f := range c.Selectors {
				if f.Sort == s {
					makers = append(makers, func() *term.Term {
						t := d.term(from, depth)
						return d.Ite(d.Is(c, t), d.Field(f, t), d.variable(s))
					})
				}
			}
		}
	}
	if len(makers) == 0 {
		return nil
	}
	return rapid.SampledFrom(makers).Draw(d.T, "part")()
}

// carriesTuplesBack is carriesBack for systems over tuples.
func (n *tally) carriesTuplesBack(t *rapid.T, sys *chc.System, passes ...transform.Pass) {
	before := text(sys)
	next, back, _, err := transform.Pipeline(t.Context(), env, sys, passes)
	require.NoError(t, err)
	require.Equal(t, before, text(sys), "the pass changed its input")
	requireWellFormed(t, next)
	if next == sys {
		return
	}
	n.changed++
	opts := hornoracle.DefaultOptions()
	opts.Tries = 4000
	r := hornoracle.Solve(next, opts)
	if ref := r.Refutation(); ref != nil {
		old, err := back.Refutation(t.Context(), ref)
		require.NoError(t, err, "%s\n%s", before, text(next))
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, old), "%s\n%s", before, text(next))
		n.unsat++
		return
	}
	limit := smt.Limit{Resources: 1_000_000}
	model := r.Model()
	if !r.Exhausted || witness.CheckModel(t.Context(), z3.Open, next, model, limit) != nil {
		return // values beyond those tried matter
	}
	old, err := back.Model(t.Context(), model)
	require.NoError(t, err, "%s\n%s", before, text(next))
	if err = witness.CheckModel(t.Context(), z3.Open, sys, old, limit); errors.Is(err, witness.ErrUndecided) {
		return // the solver's limit
	}
	require.NoError(t, err, "%s\n%s", before, text(next))
	n.sat++
}

func TestFlattenCarriesWitnessesBack(t *testing.T) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) { n.carriesTuplesBack(t, drawTuples(t, false), flatten.Pass()) })
	t.Logf("%+v", n)
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

// pairs declares a pair, a struct with an array of pairs, a unit, and predicates over them.
const pairs = `(declare-datatypes ((Pair 0)) (((pair (fst Int) (snd Bool)))))
	(declare-datatypes ((Table 0)) (((table (rows (Array Int Pair)) (size Int)))))
	(declare-datatypes ((Unit 0)) (((unit))))
	(declare-var e Pair) (declare-var f Pair) (declare-var t Table) (declare-var s Table) (declare-var o Unit)
	(declare-var m (Array Int (Array Int Pair))) (declare-var r (Array Int Pair)) (declare-var k (Array Pair Int))
`

// plainLines are the clauses with the counters of fresh variables left out.
func plainLines(sys *chc.System) []string {
	var out []string
	for _, l := range lines(sys) {
		out = append(out, fresh.ReplaceAllString(l, ""))
	}
	return out
}

var fresh = regexp.MustCompile(`![0-9]+`)

func TestFlattenClauses(t *testing.T) {
	for name, c := range map[string]struct{ rule, want string }{
		"constructor":       {"(declare-rel p (Pair)) (rule (p (pair x a)))", "true => (p x a)"},
		"variable":          {"(declare-rel p (Pair)) (rule (=> (p e) (p e)))", "(p e.fst e.snd) & true => (p e.fst e.snd)"},
		"selector":          {"(declare-rel p (Pair)) (rule (=> (and (p e) (< (fst e) 3) (snd e)) (p (pair 1 (snd e)))))", "(p e.fst e.snd) & (and e.snd (<= e.fst 2)) => (p 1 e.snd)"},
		"equation":          {"(declare-rel p (Pair)) (rule (=> (= e (pair 3 a)) (p e)))", "(and (= e.fst 3) (= a e.snd)) => (p e.fst e.snd)"},
		"tester":            {"(declare-rel p (Pair)) (rule (=> ((_ is pair) e) (p e)))", "true => (p e.fst e.snd)"},
		"choice":            {"(declare-rel p (Pair)) (rule (p (ite a e f)))", "true => (p (ite a e.fst f.fst) (ite a e.snd f.snd))"},
		"unit":              {"(declare-rel p (Unit Int)) (rule (=> (= o unit) (p o x)))", "true => (p x)"},
		"struct":            {"(declare-rel p (Table)) (rule (=> (= (size t) 2) (p (table (rows t) 3))))", "(= t.size 2) => (p t.rows.fst t.rows.snd 3)"},
		"element":           {"(declare-rel p (Pair)) (rule (=> (= (select r 2) e) (p (select (rows t) 1))))", "(and (= e.fst (select r.fst 2)) (= e.snd (select r.snd 2))) => (p (select t.rows.fst 1) (select t.rows.snd 1))"},
		"store":             {"(declare-rel p ((Array Int Pair))) (rule (p (store r x e)))", "true => (p (store r.fst x e.fst) (store r.snd x e.snd))"},
		"constant array":    {"(declare-rel p ((Array Int Pair))) (rule (p ((as const (Array Int Pair)) e)))", "true => (p ((as const (Array Int Int)) e.fst) ((as const (Array Int Bool)) e.snd))"},
		"equal arrays":      {"(declare-rel p ((Array Int Pair))) (rule (=> (= r (rows t)) (p r)))", "(and (= t.rows.fst r.fst) (= t.rows.snd r.snd)) => (p r.fst r.snd)"},
		"unequal arrays":    {"(declare-rel p ((Array Int Pair))) (rule (=> (not (= r (rows t))) (p r)))", "(not (and (= t.rows.fst r.fst) (= t.rows.snd r.snd))) => (p r.fst r.snd)"},
		"nested arrays":     {"(declare-rel p ((Array Int Pair))) (rule (p (select (store m 1 r) x)))", "true => (p (select (store m.fst 1 r.fst) x) (select (store m.snd 1 r.snd) x))"},
		"tuple as index":    {"(declare-rel p (Pair Int)) (rule (p e (select (store k (pair 1 a) 2) e)))", "true => (p e.fst e.snd (select (store k (pair 1 a) 2) (pair e.fst e.snd)))"},
		"quantified tuples": {"(declare-rel p (Pair)) (rule (=> (forall ((g Pair)) (=> (snd g) (< (fst g) (fst e)))) (p e)))", "(forall ((g.fst Int) (g.snd Bool)) (or (> e.fst g.fst) (not g.snd))) => (p e.fst e.snd)"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, pairs+c.rule)
			next, _ := run(t, flatten.Pass(), sys)
			require.Equal(t, []string{c.want}, plainLines(next))
			again, back, err := flatten.Pass().Run(t.Context(), env, next)
			require.NoError(t, err)
			require.Same(t, next, again, "flattening again changes something")
			require.Nil(t, back)
		})
	}
}

// A tuple inside of a datatype that stays is put together where it goes in; an array of tuples in there cannot be, so that
// its sort stays everywhere.
func TestFlattenKeepsWhatOthersHold(t *testing.T) {
	const option = `(declare-datatypes ((Option 0)) (((none) (some (value Pair)))))
		(declare-datatypes ((Holder 0)) (((empty) (hold (held (Array Int Pair))))))
		(declare-datatypes ((List 0)) (((list (next (Array Int List)) (here Pair)) (nil))))
		(declare-var q Option) (declare-var h Holder) (declare-var l List) (declare-var i (Array (Array Int Pair) Int))
		(declare-datatypes ((Two 0)) (((two (left Int) (right Int))))) (declare-datatypes ((Either 0)) (((no) (yes (both Two)))))
		(declare-var g Either)`
	for name, c := range map[string]struct{ rule, want string }{
		"into":               {"(declare-rel p (Option)) (rule (=> (< (fst e) 2) (p (some e))))", "(<= e.fst 1) => (p (some (pair e.fst e.snd)))"},
		"out of":             {"(declare-rel p (Pair)) (rule (p (value q)))", "true => (p (fst (value q)) (snd (value q)))"},
		"through":            {"(declare-rel p (Option Pair)) (rule (p (some (value q)) e))", "true => (p (some (value q)) e.fst e.snd)"},
		"an array":           {"(declare-rel p (Holder Pair)) (rule (p (hold (store r 1 e)) (select r 2)))", "true => (p (hold (store r 1 (pair e.fst e.snd))) (fst (select r 2)) (snd (select r 2)))"},
		"swapped":            {"(declare-rel p (Either Two)) (declare-var dd Two) (rule (p (yes (two (right (both g)) (left (both g)))) dd))", "true => (p (yes (two (right (both g)) (left (both g)))) dd.left dd.right)"},
		"an index":           {"(declare-rel p ((Array Int Pair) Pair Int)) (rule (p r e (select i (store r x e))))", "true => (p r e.fst e.snd (select i (store r x (pair e.fst e.snd))))"},
		"recursive datatype": {"(declare-rel p (List Pair)) (rule (p (select (next l) 0) (here l)))", "true => (p (select (next l) 0) (fst (here l)) (snd (here l)))"},
	} {
		t.Run(name, func(t *testing.T) {
			next, _ := run(t, flatten.Pass(), read(t, pairs+option+c.rule))
			require.Equal(t, []string{c.want}, plainLines(next))
		})
	}
}

// A function's arguments and results stay as they are.
func TestFlattenKeepsFunctions(t *testing.T) {
	b := newBuilder()
	s := newTupleSorts(t, b.Pool)
	b.sys.Datatypes = s.all
	p := b.predicate("p", s.pair, b.Array(term.Int, s.pair))
	f := b.DeclareFunc("f", []*term.Sort{s.pair}, b.Array(term.Int, s.pair))
	e := b.Var("e", s.pair)
	b.rule(atom(p, b.Select(b.Apply(f, e), b.Int(1)), b.Apply(f, e)), b.True())
	next, _ := run(t, flatten.Pass(), b.sys)
	require.Equal(t, []string{"true => (p (fst (select (f (pair e.fst e.snd)) 1)) (snd (select (f (pair e.fst e.snd)) 1)) (f (pair e.fst e.snd)))"}, plainLines(next))
}

// Values come back together, with the indices of all components' stores.
func TestFlattenRefutation(t *testing.T) {
	sys := read(t, pairs+`(declare-rel p (Table Unit))
		(rule (p (table (store (store ((as const (Array Int Pair)) (pair 7 false)) 1 (pair 5 false)) 2 (pair 7 true)) 4) unit))
		(rule (=> (and (p t o) (= (fst (select (rows t) 1)) 5) (snd (select (rows t) 2)) (= (fst (select (rows t) x)) 7) (= x 3)) false))`)
	next, back := run(t, flatten.Pass(), sys)
	require.Equal(t, 3, next.Predicates[0].Arity())
	ref := requireUnsat(t, sys, next, back)
	require.Equal(t, "(table (store (store ((as const (Array Int Pair)) (pair 7 false)) 1 (pair 5 false)) 2 (pair 7 true)) 4)",
		ref.Steps[1].Values[sys.Clauses[1].Body[0].Args[0]].String())
}

// Reads of components become fields of elements; only what is said of a whole component needs a quantifier.
func TestFlattenModelReads(t *testing.T) {
	sys := read(t, pairs+`(declare-rel p (Table (Array (Array Int Int) Int))) (declare-var i (Array (Array Int Int) Int))
		(rule (p (table ((as const (Array Int Pair)) (pair 1 true)) 2) i))`)
	next, back := run(t, flatten.Pass(), sys)
	pool, flat := sys.Pool, next.Predicates[0]
	v := witness.CanonicalParams(pool, flat)
	for _, c := range []struct {
		body *term.Term
		want string
	}{
		{pool.Le(pool.Select(v[0], v[2]), pool.Int(1)), "(<= (fst (select (rows a) (size a))) 1)"},
		{pool.Eq(pool.Select(pool.Store(v[0], v[2], pool.Int(1)), pool.Int(3)), v[2]), "(= (size a) (ite (= (size a) 3) 1 (fst (select (rows a) 3))))"},
		{pool.Select(v[1], pool.Select(v[0], pool.Int(0))), "(snd (select (rows a) (fst (select (rows a) 0))))"},
		{pool.Eq(v[0], pool.ConstArray(v[0].Sort(), pool.Int(1))), "(forall ((k Int)) (= (fst (select (rows a) k)) 1))"},
		{pool.Eq(pool.Select(v[3], v[0]), pool.Int(1)), "(forall ((p$0 (Array Int Int))) (or (= (select p$3 p$0) 1) " +
			"(not (forall ((k Int)) (= (select p$0 k) (fst (select (rows a) k)))))))"},
		// Equations of all components are one of arrays.
		{pool.And(pool.Eq(v[0], pool.ConstArray(v[0].Sort(), v[2])), pool.Eq(v[1], pool.ConstArray(v[1].Sort(), pool.True()))), "(= (rows a) ((as const (Array Int Pair)) (pair (size a) true)))"},
		{pool.Or(pool.Ne(v[0], pool.Store(v[0], v[2], pool.Int(3))), pool.Ne(v[1], pool.Store(v[1], v[2], pool.False())), pool.Eq(v[2], pool.Int(0))), "(or (not (= (rows a) (store (rows a) (size a) (pair 3 false)))) (= (size a) 0))"},
		// But not where one is a constant array and the other is not.
		{pool.And(pool.Eq(v[0], pool.Store(v[0], v[2], pool.Int(3))), pool.Eq(v[1], pool.ConstArray(v[1].Sort(), pool.False()))), "(and (forall ((k Int)) (= (fst (select (rows a) k)) (ite (= (size a) k) 3 (fst (select (rows a) k))))) (forall ((k Int)) (not (snd (select (rows a) k)))))"},
	} {
		m := witness.NewModel()
		m.Interpretations[flat] = witness.Interpretation{Params: v, Body: c.body}
		old, err := back.Model(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, c.want, fresh.ReplaceAllString(old.Interpretations[sys.Predicates[0]].Body.String(), ""))
	}
}
