package encode

import (
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/flow"
)

// body encodes one implementation.
type body struct {
	*encoder
	procedure *ast.Procedure
	graph     *flow.Graph
	live      *flow.Liveness
	writes    flow.Variables
	// cut says which blocks have a predicate.
	cut []bool
	// visits has those of each block: one, or with Procedures one for all runs that have the same atoms.
	visits [][]*visit
	// values and before are the variables' values at a cut point, and those of globals at the procedure's entry. All cut points have the same
	// ones, since no clause has more than one of them in its body; a program that is written out has thousands of cut points.
	values, before map[*ast.Variable]*term.Term
}

// visit is what is known of a block while its region is executed.
type visit struct {
	place  *Place
	region *region
	ways   []*state
	at     *state
}

// region is the part of a body between cut points.
type region struct{ places []*Place }

// body encodes an implementation of a procedure.
func (e *encoder) body(p *ast.Procedure, g *flow.Graph) {
	b := &body{
		encoder: e, procedure: p, graph: g, live: e.effects[p].live[g], writes: flow.Variables{},
		cut: make([]bool, len(g.Blocks)), visits: make([][]*visit, len(g.Blocks)),
		values: map[*ast.Variable]*term.Term{}, before: map[*ast.Variable]*term.Term{},
	}
	for _, v := range e.effects[p].writes {
		b.writes[v] = true
	}
	b.chooseCuts()
	// A block is entered after those before it. One that only a retreating edge was found to lead to, as all other runs
	// to it block, is entered in a further round; its region has not been looked at before.
	done := make([]bool, len(g.Blocks))
	for again := true; again; {
		again = false
		for i, block := range g.Blocks {
			if done[i] {
				continue
			}
			for _, v := range b.enter(i, block) {
				done[i], again = true, true
				b.block(v)
			}
		}
	}
}

// chooseCuts makes cut points of the heads of loops and of blocks where runs meet that have come from different cut
// points or made different calls: in a clause, all runs have the same atoms. Basic makes every block one.
func (b *body) chooseCuts() {
	if b.options.Blocks == Procedures && !b.options.Modular {
		b.chooseFewCuts()
		return
	}
	type origin struct {
		block   int
		command *flow.Command
	}
	ends := make([]origin, len(b.graph.Blocks))
	begins := make([]*origin, len(b.graph.Blocks))
	for i, block := range b.graph.Blocks {
		b.cut[i] = b.cut[i] || i > 0 && (block.Loop || b.options.Blocks == Basic || b.options.Blocks == Single)
		at := origin{block: i}
		if !b.cut[i] && begins[i] != nil {
			at = *begins[i]
		}
		for _, c := range block.Commands {
			if s, ok := c.Source.(*ast.Call); ok && !b.byContract(s.Procedure) {
				at = origin{i, c}
			}
		}
		ends[i] = at
		for _, n := range block.Next {
			switch {
			case n.Index <= i:
			case begins[n.Index] == nil:
				begins[n.Index] = &at
			case *begins[n.Index] != at:
				b.cut[n.Index] = true
			}
		}
	}
}

// enter begins a block; it returns no visits when no run reaches the block.
func (b *body) enter(i int, block *flow.Block) []*visit {
	first := &visit{place: &Place{Block: block, Values: map[*flow.Command]*Chosen{}}, region: &region{}}
	visits := []*visit{first}
	switch {
	case i == 0:
		first.at = b.begin(first.place)
	case b.cut[i]:
		if b.points[block] == nil {
			return nil // no run reaches the block
		}
		first.at = b.resume(block)
	default:
		visits = b.visits[i]
		for _, v := range visits {
			v.at = b.join(v)
		}
	}
	for _, v := range visits {
		v.region.places = append(v.region.places, v.place)
	}
	return visits
}

// begin is the state in which a procedure is entered.
func (b *body) begin(place *Place) *state {
	s := &state{now: map[*ast.Variable]*term.Term{}, entry: map[*ast.Variable]*term.Term{}}
	impl := b.graph.Implementation
	for _, v := range b.effects[b.procedure].reads {
		s.entry[v] = b.variable(v)
		s.now[v] = s.entry[v]
	}
	for _, v := range b.effects[b.procedure].writes {
		if s.now[v] == nil {
			s.now[v] = b.variable(v)
		}
	}
	for _, v := range impl.In {
		s.now[v] = b.variable(v)
	}
	chosen := &Chosen{Atom: -1}
	for _, v := range slices.Concat(impl.Out, impl.Body.Locals) {
		s.now[v] = b.variable(v)
		chosen.Variables, chosen.Terms = append(chosen.Variables, v), append(chosen.Terms, s.now[v])
	}
	place.Values[nil] = chosen
	if b.options.Modular && !b.options.Native {
		for _, v := range slices.Concat(b.program.Globals, impl.In) {
			b.assumeWhereOf(s, v)
		}
	}
	for _, v := range slices.Concat(impl.Out, impl.Body.Locals) {
		b.assumeWhereOf(s, v)
	}
	// They have been assumed by the call or at the entry.
	for _, spec := range b.specifications(b.procedure.Requires) {
		b.assumeRedundant(s, spec.Cond, b.contract(s))
	}
	for _, f := range b.symbols.axioms(b.procedure) {
		s.assume(f)
	}
	s.universals = append(s.universals, b.symbols.universals...)
	return s
}

// resume is the state at a cut point.
func (b *body) resume(block *flow.Block) *state {
	arguments := b.encoding.Meanings[b.points[block]].Arguments
	s := &state{now: make(map[*ast.Variable]*term.Term, len(arguments)), entry: map[*ast.Variable]*term.Term{}}
	for _, a := range arguments {
		switch {
		case a.When == Always:
		case a.When == AtEntry && a.Variable.Kind == ast.Global:
			if b.before[a.Variable] == nil {
				b.before[a.Variable] = b.pool.Fresh("old "+a.Variable.Name, b.sort(a.Variable.Type, a.Variable.Pos))
			}
			s.entry[a.Variable] = b.before[a.Variable]
			if !b.writes[a.Variable] {
				s.now[a.Variable] = s.entry[a.Variable]
			}
		default:
			if b.values[a.Variable] == nil {
				b.values[a.Variable] = b.variable(a.Variable)
			}
			s.now[a.Variable] = b.values[a.Variable]
		}
	}
	s.atoms = []chc.App{s.atom(b.encoder, b.points[block])}
	b.recall(s)
	s.universals = append(s.universals, b.symbols.universals...)
	if b.options.Modular && block.Loop {
		b.forget(s, block)
	}
	return s
}

// recall assumes the quantified preconditions of the procedure's inputs again: the predicate of a cut point has only
// instances of them.
func (b *body) recall(s *state) {
	at := &state{now: maps.Clone(s.entry), entry: s.entry}
	for i, v := range b.graph.Implementation.In {
		at.now[v] = s.now[v]
		at.now[b.procedure.In[i]] = s.now[v]
	}
	for _, spec := range b.specifications(b.procedure.Requires) {
		if quantified(spec.Cond) {
			b.assumeRedundant(at, spec.Cond, at.scope())
		}
	}
	for _, f := range at.facts {
		s.assume(f)
	}
	s.universals = append(s.universals, at.universals...)
}

// quantified reports whether there is a quantifier in an expression, or in a function that it applies.
func quantified(x ast.Expr) bool {
	found := false
	seen := map[*ast.Function]bool{}
	var visit func(x ast.Expr) bool
	visit = func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.Quantifier, *ast.Lambda:
			found = true
		case *ast.Application:
			found = found || makesMap(x.Function)
			if !seen[x.Function] {
				seen[x.Function] = true
				ast.Inspect(x.Function.Body, visit)
			}
		}
		return !found
	}
	ast.Inspect(x, visit)
	return found
}

// variables are those that may be carried to a cut point, in order.
func (b *body) variables() []*ast.Variable {
	impl := b.graph.Implementation
	return slices.Concat(b.program.Globals, impl.In, impl.Out, impl.Body.Locals)
}

// point is the predicate of a cut point.
func (b *body) point(block *flow.Block) *chc.Predicate {
	if b.points[block] == nil {
		args := b.symbols.arguments(b.procedure)
		args = append(args, at(AtEntry, b.graph.Implementation.In...)...)
		args = append(args, at(AtEntry, b.effects[b.procedure].reads...)...)
		for _, v := range b.variables() {
			if v.Kind != ast.In && b.live.Has(block, v) && (v.Kind != ast.Global || b.writes[v]) {
				args = append(args, Argument{When: Now, Variable: v})
			}
		}
		b.points[block] = b.predicate(b.blockName(block), &Meaning{
			Kind: Point, Procedure: b.procedure, Graph: b.graph, Block: block, Arguments: args,
		})
	}
	return b.points[block]
}

func (b *body) blockName(block *flow.Block) string {
	name := block.Label
	if name == "" {
		name = fmt.Sprintf("line %d", block.Pos.Line)
	}
	return fmt.Sprintf("%s at %s", b.procedure.Name, name)
}

// join is the state after several edges: variables with different values get new ones, which an equation for each
// edge defines.
func (b *body) join(v *visit) *state {
	if len(v.ways) == 1 {
		return v.ways[0]
	}
	first := v.ways[0]
	s := &state{now: map[*ast.Variable]*term.Term{}, entry: first.entry, atoms: first.atoms}
	// The guard of an assumption is true only on the ways on which it is made.
	s.universals = nil
	for _, w := range v.ways {
		for _, u := range w.universals {
			if !slices.Contains(s.universals, u) {
				s.universals = append(s.universals, u)
			}
		}
		for _, p := range w.pool {
			if !slices.Contains(s.pool, p) {
				s.pool = append(s.pool, p)
			}
		}
	}
	equations := make([][]*term.Term, len(v.ways))
	for _, x := range b.variables() {
		if first.now[x] == nil || x.Kind != ast.In && !b.live.Has(v.place.Block, x) {
			continue
		}
		s.now[x] = first.now[x]
		if !slices.ContainsFunc(v.ways, func(w *state) bool { return w.now[x] != first.now[x] }) {
			continue
		}
		s.now[x] = b.variable(x)
		for i, w := range v.ways {
			equations[i] = append(equations[i], b.pool.Eq(s.now[x], w.now[x]))
		}
	}
	// Facts of all ways are added once.
	facts := b.tally()
	for _, w := range v.ways {
		facts.count(w.facts)
	}
	for _, f := range facts.unique(first.facts) {
		if facts.of(f) == len(v.ways) {
			s.facts = append(s.facts, f)
		}
	}
	choices := make([]*term.Term, len(v.ways))
	for i, w := range v.ways {
		own := slices.DeleteFunc(facts.unique(w.facts), func(f *term.Term) bool { return facts.of(f) == len(v.ways) })
		choices[i] = b.pool.And(append(own, equations[i]...)...)
		v.place.Ways[i].Condition = choices[i]
	}
	s.assume(b.pool.Or(choices...))
	return s
}

// block executes a block and passes the state on along its edges.
func (b *body) block(v *visit) {
	s := v.at
	for i, c := range v.place.Block.Commands {
		if s.dead {
			return
		}
		b.goOn()
		b.command(v, s, i, c)
	}
	if s.dead {
		return
	}
	if v.place.Block == b.graph.Exit {
		b.exit(v, s)
		return
	}
	for _, n := range v.place.Block.Next {
		b.edge(v, s, n)
	}
}

// edge passes a state on to a block.
func (b *body) edge(v *visit, s *state, n *flow.Block) {
	if b.cut[n.Index] {
		if b.options.Modular && n.Loop {
			b.checkInvariants(v, s, n)
			if n.Index <= v.place.Block.Index {
				return
			}
		}
		head := s.atom(b.encoder, b.point(n))
		b.derive(v, s, n.Pos, head, len(v.place.Block.Commands)).To = n
		return
	}
	var next *visit
	for _, w := range b.visits[n.Index] {
		if w.region == v.region && sameAtoms(w.ways[0], s) {
			next = w
		}
	}
	if next == nil {
		next = &visit{place: &Place{Block: n, Values: map[*flow.Command]*Chosen{}}, region: v.region}
		b.visits[n.Index] = append(b.visits[n.Index], next)
	}
	next.ways = append(next.ways, s.clone())
	next.place.Ways = append(next.place.Ways, &Way{From: v.place, Condition: b.pool.True()})
}

// derive adds the clause that derives a head from the state and further atoms.
func (b *body) derive(v *visit, s *state, pos chc.Position, head chc.App, before int, atoms ...chc.App) *Segment {
	segment := &Segment{Graph: b.graph, Places: slices.Clone(v.region.places), Last: v.place, Before: before}
	facts := slices.Clone(s.facts)
	body := append(slices.Clone(s.atoms), atoms...)
	facts = append(facts, b.instances(s.universals, s.pool, facts, body, &head)...)
	c := b.add(pos, body, b.pool.And(facts...), &head)
	b.note(c, s)
	b.encoding.Segments[c] = segment
	return segment
}

// fail adds the clause for runs that fail at the command of that index.
func (b *body) fail(v *visit, s *state, pos chc.Position, before int, atoms ...chc.App) *Segment {
	return b.derive(v, s, pos, b.ownAtom(s, b.failure(b.procedure)), before, atoms...)
}

// ownAtom is an atom of a predicate of the procedure in the state: what its arguments say of the procedure's parameters and
// results is said of the implementation's.
func (b *body) ownAtom(s *state, pred *chc.Predicate) chc.App {
	app := chc.App{Pred: pred}
	impl := b.graph.Implementation
	for _, a := range b.encoding.Meanings[pred].Arguments {
		if i := slices.Index(b.procedure.In, a.Variable); i >= 0 {
			a.Variable = impl.In[i]
		}
		if i := slices.Index(b.procedure.Out, a.Variable); i >= 0 {
			a.Variable = impl.Out[i]
		}
		app.Args = append(app.Args, s.argument(b.encoder, a))
	}
	return app
}

// exit checks what is ensured, and derives the summary.
func (b *body) exit(v *visit, s *state) {
	scope := b.contract(s)
	for _, spec := range b.specifications(b.procedure.Ensures) {
		if !spec.Free {
			b.check(v, s, spec.Cond, scope, spec.Pos, 0).Contract = spec
		}
	}
	if b.options.Modular && !b.inlined[b.procedure] {
		return
	}
	for _, spec := range b.specifications(b.procedure.Ensures) {
		if spec.Free {
			b.assumeCondition(s, spec.Cond, false, scope)
		}
	}
	head := b.ownAtom(s, b.summary(b.procedure))
	b.derive(v, s, v.place.Block.Pos, head, 0).To = b.graph.Exit
}

// variable is a new value of a variable.
func (e *encoder) variable(v *ast.Variable) *term.Term {
	return e.pool.Fresh(v.Name, e.sort(v.Type, v.Pos))
}
