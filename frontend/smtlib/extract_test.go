package smtlib

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// formula is a Boolean formula over Boolean variables and predicates, with a meaning of its own to compare with.
type formula struct {
	text string
	eval func(env map[string]bool, in tables) bool
}

// tables interprets each predicate by the set of its tuples.
type tables map[string]map[string]bool

// gen draws formulas of which it is known that their clauses are Horn.
type gen struct {
	t     *rapid.T
	depth int
	lets  int
}

var predArity = map[string]int{"P": 1, "Q": 2, "R": 0}

func (g *gen) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(g.t, what) }

func (g *gen) under(f func()) {
	g.depth++
	f()
	g.depth--
}

// free draws a formula without predicates over the variables in scope.
func (g *gen) free(scope []string) formula {
	k := g.pick(10, "free")
	if g.depth > 5 {
		k %= 2
	}
	var out formula
	g.under(func() {
		switch k {
		case 0:
			b := g.pick(2, "truth") == 1
			out = formula{fmt.Sprint(b), func(map[string]bool, tables) bool { return b }}
		case 1:
			if len(scope) == 0 {
				out = formula{"true", func(map[string]bool, tables) bool { return true }}
				return
			}
			v := scope[g.pick(len(scope), "var")]
			out = formula{v, func(env map[string]bool, _ tables) bool { return env[v] }}
		case 2:
			out = not(g.free(scope))
		case 3:
			out = binary("and", g.free(scope), g.free(scope), func(a, b bool) bool { return a && b })
		case 4:
			out = binary("xor", g.free(scope), g.free(scope), func(a, b bool) bool { return a != b })
		case 5:
			out = binary("=>", g.free(scope), g.free(scope), func(a, b bool) bool { return !a || b })
		case 6:
			out = g.quantified(scope, g.pick(2, "quantifier") == 0, g.free)
		case 7:
			out = ite(g.free(scope), g.free(scope), g.free(scope))
		case 8:
			out = binary("or", g.free(scope), g.free(scope), func(a, b bool) bool { return a || b })
		default:
			out = g.let(scope, g.free, g.free)
		}
	})
	return out
}

func (g *gen) atom(scope []string) formula {
	p := []string{"P", "Q", "R"}[g.pick(3, "predicate")]
	if predArity[p] == 0 {
		return formula{p, func(_ map[string]bool, in tables) bool { return in[p][""] }}
	}
	args := make([]formula, predArity[p])
	text := "(" + p
	for i := range args {
		g.under(func() { g.under(func() { args[i] = g.free(scope) }) })
		text += " " + args[i].text
	}
	return formula{text + ")", func(env map[string]bool, in tables) bool {
		key := ""
		for _, a := range args {
			key += fmt.Sprint(a.eval(env, in))[:1]
		}
		return in[p][key]
	}}
}

// body draws a formula in which no predicate is negated.
func (g *gen) body(scope []string) formula {
	k := g.pick(10, "body")
	if g.depth > 4 {
		k %= 2
	}
	var out formula
	g.under(func() {
		switch k {
		case 0, 1:
			out = g.atom(scope)
		case 2, 3:
			out = binary("and", g.body(scope), g.body(scope), func(a, b bool) bool { return a && b })
		case 4:
			out = binary("or", g.body(scope), g.body(scope), func(a, b bool) bool { return a || b })
		case 5:
			out = g.quantified(scope, false, g.body)
		case 6:
			out = not(g.quantified(scope, true, func(s []string) formula { return not(g.body(s)) }))
		case 7:
			out = ite(g.free(scope), g.body(scope), g.body(scope))
		case 8:
			out = g.free(scope)
		default:
			out = g.let(scope, g.free, g.body)
		}
	})
	return out
}

// clause draws a formula whose clauses are Horn.
func (g *gen) clause(scope []string) formula {
	k := g.pick(13, "clause")
	if g.depth > 4 {
		k %= 2
	}
	var out formula
	g.under(func() {
		switch k {
		case 0:
			out = g.atom(scope)
		case 1:
			out = not(g.body(scope))
		case 2, 3, 4:
			out = binary("=>", g.body(scope), g.clause(scope), func(a, b bool) bool { return !a || b })
		case 5:
			out = binary("or", g.clause(scope), not(g.body(scope)), func(a, b bool) bool { return a || b })
		case 6:
			out = binary("and", g.clause(scope), g.clause(scope), func(a, b bool) bool { return a && b })
		case 7, 8:
			out = g.quantified(scope, true, g.clause)
		case 9:
			out = not(g.quantified(scope, false, func(s []string) formula { return not(g.clause(s)) }))
		case 10:
			out = binary("=", g.atom(scope), g.free(scope), func(a, b bool) bool { return a == b })
		case 11:
			out = ite(g.free(scope), g.clause(scope), g.clause(scope))
		default:
			out = g.let(scope, g.free, g.clause)
		}
	})
	return out
}

func (g *gen) quantified(scope []string, all bool, body func([]string) formula) formula {
	v := []string{"x", "y", "x!1"}[g.pick(3, "bound")]
	b := body(append(append([]string{}, scope...), v))
	word := "exists"
	if all {
		word = "forall"
	}
	return formula{fmt.Sprintf("(%s ((%s Bool)) %s)", word, v, b.text), func(env map[string]bool, in tables) bool {
		old, had := env[v]
		defer func() {
			if had {
				env[v] = old
			} else {
				delete(env, v)
			}
		}()
		for _, val := range []bool{false, true} {
			env[v] = val
			if b.eval(env, in) != all {
				return !all
			}
		}
		return all
	}}
}

// let binds a name, sometimes one that hides a variable, to a formula.
func (g *gen) let(scope []string, value, body func([]string) formula) formula {
	val := value(scope)
	name := fmt.Sprintf("l%d", g.lets)
	g.lets++
	if g.pick(3, "hide") == 0 {
		name = "x"
	}
	b := body(append(append([]string{}, scope...), name))
	return formula{fmt.Sprintf("(let ((%s %s)) %s)", name, val.text, b.text), func(env map[string]bool, in tables) bool {
		v := val.eval(env, in)
		old, had := env[name]
		env[name] = v
		out := b.eval(env, in)
		env[name] = old
		if !had {
			delete(env, name)
		}
		return out
	}}
}

func not(a formula) formula {
	return formula{"(not " + a.text + ")", func(env map[string]bool, in tables) bool { return !a.eval(env, in) }}
}

func binary(op string, a, b formula, f func(a, b bool) bool) formula {
	return formula{"(" + op + " " + a.text + " " + b.text + ")", func(env map[string]bool, in tables) bool {
		return f(a.eval(env, in), b.eval(env, in))
	}}
}

func ite(c, a, b formula) formula {
	return formula{"(ite " + c.text + " " + a.text + " " + b.text + ")", func(env map[string]bool, in tables) bool {
		if c.eval(env, in) {
			return a.eval(env, in)
		}
		return b.eval(env, in)
	}}
}

const boolPreds = "(declare-fun P (Bool) Bool)(declare-fun Q (Bool Bool) Bool)(declare-fun R () Bool)\n"

func drawTables(t *rapid.T) tables {
	in := tables{}
	for _, p := range []string{"P", "Q", "R"} {
		in[p] = map[string]bool{}
		for _, key := range map[int][]string{0: {""}, 1: {"f", "t"}, 2: {"ff", "ft", "tf", "tt"}}[predArity[p]] {
			in[p][key] = rapid.Bool().Draw(t, p+key)
		}
	}
	return in
}

// model is the interpretation of the script's predicates that the tables stand for.
func (in tables) model(s *Script) *witness.Model {
	p := s.System.Pool
	m := &witness.Model{Interpretations: map[*chc.Predicate]witness.Interpretation{}}
	for _, pred := range s.Declared {
		i := witness.Interpretation{Body: p.False()}
		for k := range pred.Sorts {
			i.Params = append(i.Params, p.Var(fmt.Sprintf("arg%d", k), term.Bool))
		}
		for key, holds := range in[pred.Name] {
			lits := []*term.Term{p.Bool(holds)}
			for k, c := range key {
				lits = append(lits, p.Eq(i.Params[k], p.Bool(c == 't')))
			}
			i.Body = p.Or(i.Body, p.And(lits...))
		}
		m.Interpretations[pred] = i
	}
	for _, pred := range s.System.Predicates[len(s.Declared):] {
		m.Interpretations[pred] = caseInterpretation(s.System, pred.ID, m)
	}
	return m
}

// holds reports whether the closed formula t, whose variables are Boolean, is true.
func holds(p *term.Pool, t *term.Term, env term.MapAssignment) bool {
	switch t.Op() {
	case term.Forall, term.Exists:
		all := t.Op() == term.Forall
		v := t.Bound()[0]
		body := t.Arg(0)
		if len(t.Bound()) > 1 {
			if all {
				body = p.Forall(t.Bound()[1:], body)
			} else {
				body = p.Exists(t.Bound()[1:], body)
			}
		}
		for _, b := range []bool{false, true} {
			if holds(p, p.Substitute(body, map[*term.Term]*term.Term{v: p.Bool(b)}), env) != all {
				return !all
			}
		}
		return all
	case term.Not:
		return !holds(p, t.Arg(0), env)
	case term.And:
		for _, a := range t.Args() {
			if !holds(p, a, env) {
				return false
			}
		}
		return true
	case term.Or:
		for _, a := range t.Args() {
			if holds(p, a, env) {
				return true
			}
		}
		return false
	case term.Eq:
		return holds(p, t.Arg(0), env) == holds(p, t.Arg(1), env)
	case term.Ite:
		if holds(p, t.Arg(0), env) {
			return holds(p, t.Arg(1), env)
		}
		return holds(p, t.Arg(2), env)
	}
	v, ok := term.NewEvaluator(p, env).Eval(t)
	if !ok {
		panic("no value: " + t.String())
	}
	return v.Bool()
}

// valid reports whether every clause holds under the interpretation.
func valid(s *chc.System, m *witness.Model) bool {
	p := s.Pool
	apply := func(a chc.App) *term.Term {
		i := m.Interpretations[a.Pred]
		sub := map[*term.Term]*term.Term{}
		for k, v := range i.Params {
			sub[v] = a.Args[k]
		}
		return p.Substitute(i.Body, sub)
	}
	for _, c := range s.Clauses {
		body := []*term.Term{c.Constraint}
		for _, a := range c.Body {
			body = append(body, apply(a))
		}
		head := p.False()
		if c.Head != nil {
			head = apply(*c.Head)
		}
		f := p.Implies(p.And(body...), head)
		if !holds(p, p.Forall(term.Vars(f), f), nil) {
			return false
		}
	}
	return true
}

// The clauses of a formula hold under exactly the interpretations under which the formula does; also where they are
// queries, or when the script is printed and read again.
func TestClausesMeanTheFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &gen{t: t}
		f := g.clause(nil)
		for range 3 { // more to say at once
			f = binary("and", f, g.clause(nil), func(a, b bool) bool { return a && b })
		}
		src := boolPreds + "(assert " + f.text + ")"
		s, err := Read("t", []byte(src), term.NewPool())
		require.NoError(t, err, f.text)
		again := reread(t, s)
		for range 4 {
			in := drawTables(t)
			want := f.eval(map[string]bool{}, in)
			require.Equal(t, want, valid(s.System, in.model(s)), "%s\n%v", f.text, clauses(s))
			require.Equal(t, want, valid(again.System, in.model(again)), "printed: %s", f.text)
		}
	})
}

func TestQueriesMeanTheNegation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &gen{t: t}
		f := g.body(nil)
		s, err := Read("t", []byte(boolPreds+"(query "+f.text+")"), term.NewPool())
		require.NoError(t, err, f.text)
		for range 4 {
			in := drawTables(t)
			require.Equal(t, !f.eval(map[string]bool{}, in), valid(s.System, in.model(s)), "%s\n%v", f.text, clauses(s))
		}
	})
}

// A formula put in the place of a macro's parameters means the macro's body with the formula in it.
func TestMacros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &gen{t: t, depth: 2}
		body, arg := g.clause([]string{"x"}), formula{}
		v := []string{"y", "x", "x!1"}[g.pick(3, "outer")]
		arg = g.free([]string{v})
		src := boolPreds + "(define-fun m ((x Bool)) Bool " + body.text + ")(assert (forall ((" + v + " Bool)) (m " + arg.text + ")))"
		s, err := Read("t", []byte(src), term.NewPool())
		require.NoError(t, err, src)
		for range 4 {
			in := drawTables(t)
			want := true
			for _, b := range []bool{false, true} {
				a := arg.eval(map[string]bool{v: b}, in)
				want = want && body.eval(map[string]bool{"x": a}, in)
			}
			require.Equal(t, want, valid(s.System, in.model(s)), "%s\n%v", src, clauses(s))
		}
	})
}

// reread prints a script's system and reads it again into the same pool; the clauses must be the same.
func reread(t require.TestingT, s *Script) *Script {
	var b bytes.Buffer
	require.NoError(t, chc.Write(&b, s.System))
	again, err := Read("printed", b.Bytes(), s.System.Pool)
	require.NoError(t, err, b.String())
	require.Equal(t, clauses(s), clauses(again), b.String())
	for i, c := range s.System.Clauses {
		require.Same(t, c.Constraint, again.System.Clauses[i].Constraint, b.String())
	}
	return again
}

// clauses prints a script's clauses, one string each.
func clauses(s *Script) []string {
	var out []string
	for _, c := range s.System.Clauses {
		var b strings.Builder
		for _, a := range c.Body {
			b.WriteString(a.String() + " ")
		}
		b.WriteString(c.Constraint.String() + " => ")
		if c.Head == nil {
			b.WriteString("false")
		} else {
			b.WriteString(c.Head.String())
		}
		out = append(out, b.String())
	}
	return out
}
