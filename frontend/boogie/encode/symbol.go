package encode

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// symbols knows the constants, and the maps that functions without a definition became: what has one value in all of
// the program.
type symbols struct {
	*encoder
	constants map[*ast.Variable]*term.Term
	maps      map[*ast.Function]*term.Term
	isMap     map[*term.Term]bool
	// used has what each procedure depends on, itself or by calls.
	used map[*ast.Procedure]*symbolSet
	// facts are the axioms without quantifiers, universals the others and the definitions of recursive functions.
	facts      []symbolFact
	universals []*universal
}

type symbolFact struct {
	formula *term.Term
	symbols []*term.Term
}

type symbolSet struct {
	constants map[*ast.Variable]bool
	functions map[*ast.Function]bool
}

func newSymbolSet() *symbolSet {
	return &symbolSet{map[*ast.Variable]bool{}, map[*ast.Function]bool{}}
}

func (s *symbolSet) size() int { return len(s.constants) + len(s.functions) }

func (s *symbolSet) add(more *symbolSet) {
	for v := range more.constants {
		s.constants[v] = true
	}
	for g := range more.functions {
		s.functions[g] = true
	}
}

func newSymbols(e *encoder) *symbols {
	return &symbols{
		encoder: e, constants: map[*ast.Variable]*term.Term{}, maps: map[*ast.Function]*term.Term{}, isMap: map[*term.Term]bool{}, used: map[*ast.Procedure]*symbolSet{},
	}
}

// constant is the value of a constant: a variable that is the same throughout, or what axioms say it is.
func (y *symbols) constant(v *ast.Variable) *term.Term {
	if y.constants[v] == nil {
		y.constants[v] = y.variable(v)
	}
	return y.constants[v]
}

// function is the map that stands for a function.
func (y *symbols) function(g *ast.Function) *term.Term {
	if y.maps[g] == nil {
		y.maps[g] = y.pool.Fresh(g.Name, y.functions.sort(g))
		y.isMap[y.maps[g]] = true
	}
	return y.maps[g]
}

func (y *symbols) value(a Argument) *term.Term {
	if a.Variable != nil {
		return y.constant(a.Variable)
	}
	return y.function(a.Function)
}

// spread finds what procedures depend on, and what the axioms say of it.
func (y *symbols) spread() {
	for _, p := range y.procedures {
		set := newSymbolSet()
		y.used[p] = set
		collect := func(x ast.Expr) {
			if x != nil {
				y.encoder.functions.appliedIn(x, func(g *ast.Function) { set.functions[g] = true }, func(v *ast.Variable) { set.constants[v] = true })
			}
		}
		for _, spec := range slices.Concat(p.Requires, p.Ensures) {
			collect(spec.Cond)
		}
		for _, v := range y.assumedBy(p) {
			collect(v.Where)
		}
		for _, g := range y.graphs[p] {
			for _, c := range g.Commands() {
				eachExpression(c, collect)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range slices.Backward(y.procedures) {
			before := y.used[p].size()
			for _, q := range y.encoder.effects[p].calls {
				y.used[p].add(y.used[q])
			}
			changed = changed || y.used[p].size() > before
		}
	}
	y.state()
}

// eachExpression calls visit for the expressions of a command, its where clauses included.
func eachExpression(c *flow.Command, visit func(ast.Expr)) {
	visit(c.Cond)
	visit(c.Under)
	switch s := c.Source.(type) {
	case *ast.Assign:
		for i := range s.Left {
			_, value := s.Value(i)
			visit(value)
		}
	case *ast.Call:
		for _, a := range s.Args {
			visit(a)
		}
	case *ast.Havoc:
		for _, v := range s.Variables {
			visit(v.Decl.Where)
		}
	}
}

// state turns axioms into facts and universals: those about what is used, directly or through other axioms.
func (y *symbols) state() {
	relevant := newSymbolSet()
	for _, p := range y.procedures {
		relevant.add(y.used[p])
	}
	for _, v := range y.program.Globals {
		if v.Where != nil {
			y.encoder.functions.appliedIn(v.Where, func(g *ast.Function) { relevant.functions[g] = true }, func(v *ast.Variable) { relevant.constants[v] = true })
		}
	}
	sets := make([]*symbolSet, len(y.program.Axioms))
	for i, a := range y.program.Axioms {
		set := newSymbolSet()
		sets[i] = set
		y.encoder.functions.appliedIn(a.Cond, func(g *ast.Function) { set.functions[g] = true }, func(v *ast.Variable) { set.constants[v] = true })
	}
	taken := make([]bool, len(sets))
	for changed := true; changed; {
		changed = false
		for i, set := range sets {
			// One that bounds how many values a type has says something of everything with such values.
			if !taken[i] && (set.size() == 0 || touches(set, relevant) || len(ast.Bounds(y.program.Axioms[i].Cond)) > 0) {
				taken[i], changed = true, true
				relevant.add(set)
			}
		}
	}
	for v := range relevant.constants {
		if v.Attributes.Has("existential") && v.Type == ast.Bool && !slices.ContainsFunc(sets, func(set *symbolSet) bool { return set.constants[v] }) {
			// It guards candidates for an inference: what is only a candidate is not an obligation.
			y.constants[v] = y.pool.Bool(y.options.Candidates[v.Name])
		}
	}
	y.close(sets)
	y.number(relevant)
	y.fold(taken)
	y.distinguish(relevant)
	scope := &scope{now: map[*ast.Variable]*term.Term{}}
	for i, a := range y.program.Axioms {
		if !taken[i] {
			continue
		}
		s := &state{}
		y.assumeCondition(s, a.Cond, false, scope)
		y.universals = append(y.universals, s.universals...)
		for _, f := range s.facts {
			y.addConjuncts(f, s.universals)
		}
	}
	for _, g := range y.program.Functions {
		if relevant.functions[g] && g.Body != nil {
			y.define(g)
		}
	}
}

// close lets procedures depend on all that axioms with quantifiers mention together with what they depend on: an axiom says
// little in a clause in which part of what it is about has no value.
func (y *symbols) close(sets []*symbolSet) {
	for _, p := range y.procedures {
		taken := make([]bool, len(sets))
		for changed := true; changed; {
			changed = false
			for i, a := range y.program.Axioms {
				if !taken[i] && quantified(a.Cond) && touches(sets[i], y.used[p]) {
					taken[i], changed = true, true
					y.used[p].add(sets[i])
				}
			}
		}
	}
}

func touches(a, b *symbolSet) bool {
	for v := range a.constants {
		if b.constants[v] {
			return true
		}
	}
	for g := range a.functions {
		if b.functions[g] {
			return true
		}
	}
	return false
}

func (y *symbols) addFact(f *term.Term) {
	if !f.IsTrue() {
		y.facts = append(y.facts, symbolFact{f, term.Vars(f)})
	}
}

// addConjuncts adds what a formula says. What is assumed for all values without a condition needs no guard.
func (y *symbols) addConjuncts(f *term.Term, us []*universal) {
	if f.Op() == term.And {
		for _, g := range f.Args() {
			y.addConjuncts(g, us)
		}
		return
	}
	for _, u := range us {
		if u.guard == f {
			u.guard = y.pool.True()
			return
		}
	}
	y.addFact(f)
}

// number gives unique constants of uninterpreted types numbers, since any distinct values will do.
func (y *symbols) number(relevant *symbolSet) {
	numbers := map[string]int64{}
	for _, v := range y.program.Constants {
		if c, ok := v.Type.(*ast.Constructed); ok && len(c.Decl.Constructors) == 0 && v.Unique && relevant.constants[v] {
			t := v.Type.String()
			y.constants[v] = y.datatypes.element(v.Type, v.Pos, numbers[t])
			numbers[t]++
		}
	}
}

// distinguish says of the other unique constants that they differ.
func (y *symbols) distinguish(relevant *symbolSet) {
	byType := map[string][]*ast.Variable{}
	for _, v := range y.program.Constants {
		if !v.Unique || !relevant.constants[v] {
			continue
		}
		t := v.Type.String()
		for _, w := range byType[t] {
			y.addFact(y.pool.Ne(y.constant(w), y.constant(v)))
		}
		byType[t] = append(byType[t], v)
	}
}

// fold replaces constants by the values that axioms give them: `c == 5`, and `d == c + 1` after that.
func (y *symbols) fold(taken []bool) {
	scope := &scope{now: map[*ast.Variable]*term.Term{}}
	for changed := true; changed; {
		changed = false
		for i, a := range y.program.Axioms {
			eq, ok := a.Cond.(*ast.Binary)
			if !taken[i] || !ok || eq.Op != ast.Eq {
				continue
			}
			for _, sides := range [][2]ast.Expr{{eq.X, eq.Y}, {eq.Y, eq.X}} {
				id, ok := sides[0].(*ast.Identifier)
				if !ok || id.Decl.Kind != ast.Constant || y.constants[id.Decl] != nil {
					continue
				}
				if v := y.literal(sides[1], scope); v != nil {
					y.constants[id.Decl] = v
					changed = true
				}
			}
		}
	}
}

// literal is the value of an expression that depends on constants with known values only; nil for others.
func (y *symbols) literal(x ast.Expr, sc *scope) *term.Term {
	known := true
	y.encoder.functions.appliedIn(x, func(*ast.Function) { known = false }, func(v *ast.Variable) {
		known = known && y.constants[v] != nil && y.constants[v].IsValue()
	})
	if !known {
		return nil
	}
	s := &state{}
	t := y.encoder.value(s, x, sc)
	if !t.IsValue() || len(s.facts) > 0 {
		return nil
	}
	return t
}

// define says what a recursive function is: a universal assumption about its map.
func (y *symbols) define(g *ast.Function) {
	if len(g.TypeParams) > 0 {
		return
	}
	u, inner := y.universal(g.Params, &scope{now: map[*ast.Variable]*term.Term{}}, g.Pos)
	application := y.function(g)
	for _, v := range u.variables {
		application = y.pool.Select(application, v)
	}
	u.patterns = [][]*term.Term{{application}}
	s := &state{}
	u.body = y.pool.Eq(application, y.encoder.value(s, g.Body, inner))
	y.assumeUniversal(s, u)
	y.universals = append(y.universals, s.universals...)
}

// arguments are the symbols that a procedure depends on, in the order of their declaration.
func (y *symbols) arguments(p *ast.Procedure) []Argument {
	set := y.used[p]
	var out []Argument
	for _, v := range y.program.Constants {
		if set.constants[v] && !y.constant(v).IsValue() {
			out = append(out, Argument{When: Always, Variable: v})
		}
	}
	for _, g := range slices.Concat([]*ast.Function{byZeroDiv, byZeroMod, byZeroReal}, y.program.Functions, y.encoder.functions.ordered) {
		if set.functions[g] && len(g.TypeParams) == 0 {
			out = append(out, Argument{When: Always, Function: g})
		}
	}
	return out
}

// axioms are the facts about nothing but what a procedure depends on.
func (y *symbols) axioms(p *ast.Procedure) []*term.Term {
	known := map[*term.Term]bool{}
	for _, a := range y.arguments(p) {
		known[y.value(a)] = true
	}
	var out []*term.Term
	for _, f := range y.facts {
		if !slices.ContainsFunc(f.symbols, func(v *term.Term) bool { return !known[v] }) {
			out = append(out, f.formula)
		}
	}
	return out
}

// all are the facts about symbols.
func (y *symbols) all() []*term.Term {
	out := make([]*term.Term, len(y.facts))
	for i, f := range y.facts {
		out[i] = f.formula
	}
	return out
}
