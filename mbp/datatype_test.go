package mbp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// dataFamilies are the kinds of scenes, grouped so that each group has its share of the tries.
var dataFamilies = map[string][]dataKind{
	"Recursive": {
		{name: "lists", sorts: []string{"List"}, lits: 3, eliminate: 3},
		{name: "trees", sorts: []string{"Tree"}, lits: 3, eliminate: 2},
		{name: "Peano numbers", sorts: []string{"Nat"}, lits: 4, eliminate: 2},
		{name: "mutual", sorts: []string{"Rose", "Forest"}, lits: 4, eliminate: 4},
	},
	"Flat": {
		{name: "enumeration", sorts: []string{"Color"}, lits: 6, eliminate: 2},
		{name: "finite", sorts: []string{"Maybe", "Color"}, lits: 6, eliminate: 3},
		{name: "tuple", sorts: []string{"Pair", "List"}, lits: 4, eliminate: 4},
		{name: "nested", sorts: []string{"Option", "Color", "Pair"}, lits: 4, eliminate: 5},
	},
	"Arrays": {
		{name: "of lists", sorts: []string{"Lists", "List"}, lits: 4, eliminate: 3},
		{name: "in boxes", sorts: []string{"Box", "List"}, lits: 4, eliminate: 3},
	},
}

// TestProjectDatatypes: the projection of a random true cube over datatypes is true under the assignment, has none of
// the variables, and whatever selectors give for other constructors, the cube has a solution at each point tried of it;
// the cube implies it when it is called exact. No value is substituted where there are no arrays.
func TestProjectDatatypes(t *testing.T) {
	for name, kinds := range dataFamilies {
		t.Run(name, func(t *testing.T) {
			p := term.NewPool()
			o := newOracle(t, p)
			defer o.close()
			sorts := dataSorts(t, p)
			rapid.Check(t, func(t *rapid.T) {
				s := newDataScene(t, p, sorts, rapid.SampledFrom(kinds).Draw(t, "kind"))
				var cube []*term.Term
				for range s.kind.lits {
					cube = append(cube, term.Conjuncts(s.atomOf(2))...)
				}
				vars := rapid.Permutation(append(append([]*term.Term(nil), s.list...), s.is...)).Draw(t, "vars")
				eliminate, params := vars[:s.kind.eliminate], append(vars[s.kind.eliminate:], s.bs...)
				pr := New(p, Options{})
				out, exact, err := pr.ProjectExact(cube, eliminate, s.a)
				require.NoError(t, err)
				requireProjection(t, s.scene, cube, out, eliminate)
				require.Zero(t, pr.Stats().Violations, "cube %v gave a false result", cube)
				if !hasArrays(cube) {
					require.Zero(t, pr.Stats().Substituted, "cube %v eliminating %v gave %v", cube, eliminate, out)
				}
				total := specified{}
				for _, sort := range sorts {
					total[sort] = s.valueOf(sort, 1)
				}
				total[term.Int], total[term.Bool] = s.valueOf(term.Int, 0), p.True()
				var result, source []*term.Term
				for _, l := range out {
					result = append(result, total.apply(p, l))
				}
				for _, l := range cube {
					source = append(source, total.apply(p, l))
				}
				o.points(t, s.scene, result, source, params)
				if exact {
					o.implies(t, source, p.And(result...), "exact result %v of eliminating %v from %v", out, eliminate, cube)
				}
			})
			require.Less(t, 2*o.undecided, o.asked+1, "Z3 must decide most implications")
		})
	}
}

func hasArrays(ts []*term.Term) bool {
	found := false
	for _, t := range ts {
		term.Walk(t, func(u *term.Term) bool {
			found = found || u.Sort().IsArray()
			return true
		})
	}
	return found
}

// points requires of some points of the result that the cube has a solution there. Each next point differs from the one
// before in a random parameter where it can.
func (o *oracle) points(t require.TestingT, s *scene, result, cube, params []*term.Term) {
	at := append([]*term.Term(nil), result...)
	for range 3 {
		st, m := o.check(t, at...)
		if st != smt.Sat {
			return
		}
		complete := term.Complete(o.p, m)
		point := cube[:len(cube):len(cube)]
		for _, v := range params {
			x, _ := complete.Lookup(v)
			point = append(point, o.p.Eq(v, x.Term(o.p)))
		}
		st, _ = o.check(t, point...)
		require.NotEqual(t, smt.Unsat, st, "cube %v has no solution at %v of result %v", cube, point[len(cube):], result)
		v := params[s.pick(len(params))]
		x, _ := complete.Lookup(v)
		at = append(at, o.p.Not(o.p.Eq(v, x.Term(o.p))))
	}
}

// TestDatatypeRules: what each rule makes of a small cube.
func TestDatatypeRules(t *testing.T) {
	n := newNames()
	p, x, y, z, b := n.p, n.x, n.y, n.z, n.b
	sorts := dataSorts(t, p)
	list, color, maybe := sorts["List"], sorts["Color"], sorts["Maybe"]
	of := func(name string, sort *term.Sort) *term.Term { return p.Var(name, sort) }
	v, l, m := of("v", list), of("l", list), of("m", list)
	c, d, e, f := of("c", color), of("d", color), of("e", color), of("f", color)
	u, q, r, w := of("u", maybe), of("q", maybe), of("r", maybe), of("w", maybe)
	g := of("g", p.Array(list, term.Int))
	null, link := list.Data.Constructors[0], list.Data.Constructors[1]
	just := maybe.Data.Constructors[1]
	o, k := of("o", sorts["Option"]), of("k", sorts["Pair"])
	some, pair := sorts["Option"].Data.Constructors[1], sorts["Pair"].Data.Constructors[0]
	empty := p.Construct(null)
	cons := func(h, t *term.Term) *term.Term { return p.Construct(link, h, t) }
	head := func(t *term.Term) *term.Term { return p.Field(link.Selectors[0], t) }
	tail := func(t *term.Term) *term.Term { return p.Field(link.Selectors[1], t) }
	hue := func(i int) *term.Term { return p.Construct(color.Data.Constructors[i]) }
	one := func(i int64) *term.Term { return cons(p.Int(i), empty) }
	at := func(base term.MapAssignment, vals ...*term.Term) term.MapAssignment {
		for i := 0; i < len(vals); i += 2 {
			base[vals[i]] = term.TermValue(vals[i+1])
		}
		return base
	}
	type lits = []*term.Term
	for _, tc := range []struct {
		name      string
		cube      lits
		eliminate lits
		at        term.MapAssignment
		want      lits
		exact     bool
		values    int // variables replaced by values
	}{
		{"taken apart", lits{p.Eq(l, cons(n.sum(x, 1), m)), p.Ge(x, y)}, lits{x, m}, at(ints(x, 3, y, 2), l, one(4), m, empty),
			lits{p.Is(link, l), p.Ge(head(l), n.sum(y, 1))}, true, 0},
		{"a field defines a list", lits{p.Eq(tail(l), cons(x, v)), p.Eq(v, cons(y, m))}, lits{v, x},
			at(ints(x, 3, y, 2), l, cons(p.Int(9), cons(p.Int(3), cons(p.Int(2), empty))), m, empty, v, one(2)),
			lits{p.Is(link, tail(l)), p.Eq(tail(tail(l)), cons(y, m))}, true, 0},
		{"a Boolean field", lits{p.Eq(o, p.Construct(some, k, c, b))}, lits{b},
			at(ints(b, true), o, p.Construct(some, p.Construct(pair, p.Int(1), empty), hue(1), p.True()),
				k, p.Construct(pair, p.Int(1), empty), c, hue(1)),
			lits{p.Is(some, o), p.Eq(p.Field(some.Selectors[0], o), k), p.Eq(p.Field(some.Selectors[1], o), c)}, true, 0},
		{"differs in a field", lits{p.Ne(l, cons(x, m)), p.Ge(x, y), p.Le(x, z)}, lits{x}, at(ints(x, 3, y, 2, z, 3), l, one(4), m, empty),
			lits{p.Is(link, l), p.Lt(y, head(l)), p.Le(y, z)}, false, 0},
		{"differs in a field without variables", lits{p.Ne(l, cons(x, m)), p.Ge(x, y)}, lits{x}, at(ints(x, 3, y, 2), l, one(4), m, one(5)),
			lits{p.Is(link, l), p.Ne(tail(l), m)}, false, 0},
		{"differs in the constructor", lits{p.Ne(l, cons(x, m)), p.Ge(x, y)}, lits{x}, at(ints(x, 3, y, 2), l, empty, m, empty),
			lits{p.Not(p.Is(link, l))}, false, 0},
		{"differs in a free field", lits{p.Ne(l, cons(x, m)), p.Eq(l, m)}, lits{x}, at(ints(x, 3), l, empty, m, empty),
			lits{p.Eq(l, m)}, true, 0},
		{"unequal to few", lits{p.Ne(v, l), p.Ne(v, cons(x, v)), p.Ne(v, empty), p.Is(link, v)}, lits{v},
			at(ints(x, 1), v, one(1), l, one(2)), lits{}, true, 0},
		{"unequal colours", lits{p.Ne(c, d), p.Ne(c, e)}, lits{c}, at(ints(), c, hue(0), d, hue(1), e, hue(2)), lits{}, true, 0},
		{"unequal to as many as there are", lits{p.Ne(c, d), p.Ne(c, e), p.Ne(c, f)}, lits{c},
			at(ints(), c, hue(0), d, hue(1), e, hue(2), f, hue(1)), lits{p.Ne(d, hue(0)), p.Ne(e, hue(0)), p.Ne(f, hue(0))}, false, 0},
		{"unequal to as many as the constructor makes", lits{p.Is(just, u), p.Ne(u, q), p.Ne(u, r), p.Ne(u, w)}, lits{u},
			at(ints(), u, p.Construct(just, hue(0)), q, p.Construct(just, hue(1)), r, p.Construct(just, hue(2)), w, p.Construct(just, hue(2))),
			lits{p.Is(just, q), p.Ne(p.Field(just.Selectors[0], q), hue(0)), p.Is(just, r), p.Ne(p.Field(just.Selectors[0], r), hue(0)),
				p.Is(just, w), p.Ne(p.Field(just.Selectors[0], w), hue(0))}, false, 0},
		{"fields of a known constructor", lits{p.Is(link, v), p.Ge(head(v), x), p.Le(head(v), y), p.Eq(tail(v), l)}, lits{v},
			at(ints(x, 1, y, 2), v, one(1), l, empty), lits{p.Le(x, y)}, true, 0},
		{"fields of the model's constructor", lits{p.Ge(head(v), x), p.Le(head(v), y)}, lits{v},
			at(ints(x, 1, y, 2), v, one(1)), lits{p.Le(x, y)}, false, 0},
		{"not the model's constructor", lits{p.Not(p.Is(link, v)), p.Eq(v, l)}, lits{v}, at(ints(), v, empty, l, empty),
			lits{p.Not(p.Is(link, l))}, true, 0},
		{"branch", lits{p.Le(p.Select(g, p.Ite(b, v, l)), x), p.Ne(v, m)}, lits{v},
			at(ints(x, 1, b, false), v, one(1), l, one(2), m, empty, g, p.ConstArray(g.Sort(), p.Int(0))),
			lits{p.Not(b), p.Le(p.Select(g, l), x)}, false, 0},
		{"an index of the same value", lits{p.Le(p.Select(g, v), p.Add(p.Select(g, l), x))}, lits{v},
			at(ints(x, 1), v, one(1), l, one(1), g, p.ConstArray(g.Sort(), p.Int(0))), lits{p.Le(p.Int(0), x)}, false, 0},
		{"shape of an index", lits{p.Le(p.Select(g, v), x), p.Eq(head(v), y)}, lits{v},
			at(ints(x, 1, y, 7), v, one(7), g, p.ConstArray(g.Sort(), p.Int(0))), lits{p.Le(p.Select(g, cons(y, empty)), x)}, false, 0},
		{"shape and value of an index", lits{p.Le(p.Select(g, v), x)}, lits{v},
			at(ints(x, 1), v, one(7), g, p.ConstArray(g.Sort(), p.Int(0))), lits{p.Le(p.Select(g, one(7)), x)}, false, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pr := New(p, Options{})
			got, exact, err := pr.ProjectExact(tc.cube, tc.eliminate, tc.at)
			require.NoError(t, err)
			require.ElementsMatch(t, texts(tc.want...), texts(got...))
			require.Equal(t, tc.exact, exact)
			require.Equal(t, tc.values, pr.Stats().Substituted)
			require.Zero(t, pr.Stats().Violations)
		})
	}
}

// TestCardinality: no sort is counted as having more values than it has.
func TestCardinality(t *testing.T) {
	p := term.NewPool()
	sorts := dataSorts(t, p)
	unit := sorts["Unit"]
	for _, tc := range []struct {
		sort *term.Sort
		want int
	}{
		{term.Bool, 2}, {term.Int, unbounded}, {term.Real, unbounded}, {p.BitVec(3), 8}, {p.BitVec(64), unbounded},
		{p.Uninterpreted("U"), 1}, {unit, 1}, {sorts["Color"], 3}, {sorts["Maybe"], 4}, {sorts["Nat"], unbounded},
		{sorts["Rose"], unbounded}, {sorts["Forest"], unbounded}, {sorts["Option"], unbounded},
		{p.Array(term.Int, unit), 1}, {p.Array(term.Int, term.Bool), unbounded}, {p.Array(p.BitVec(1), sorts["Color"]), 3},
		{p.Array(sorts["List"], unit), 1}, {p.Array(p.BitVec(1), sorts["List"]), unbounded}, {sorts["Trap"], 2},
	} {
		require.Equal(t, tc.want, cardinality(tc.sort, nil), "%v", tc.sort)
	}
}
