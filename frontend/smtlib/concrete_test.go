package smtlib

import (
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// concrete draws clauses in two spellings: a plain one, and one with lets, macros, matches, attributes and datatypes with
// parameters.
type concrete struct {
	t      *rapid.T
	macros strings.Builder
	count  int
	// inner says that variables of lets and matches are in scope, which macros do not know.
	inner bool
}

// spelling is a term in both spellings; plain is over the clause's variables alone.
type spelling struct{ sort, plain, varied string }

// variedSorts are the sorts' names in the varied spelling.
var variedSorts = map[string]string{"I": "Whole", "L": "(List Int)", "B": "(Bits Int)", "T": "Bool"}

func (g *concrete) pick(xs ...string) string { return rapid.SampledFrom(xs).Draw(g.t, "pick") }

func (g *concrete) oneIn(n int) bool { return rapid.IntRange(1, n).Draw(g.t, "one in") == 1 }

func (g *concrete) fresh() string { g.count++; return "v" + strconv.Itoa(g.count) }

func (g *concrete) app(sort, plain, varied string, args ...spelling) spelling {
	out := spelling{sort, "(" + plain, "(" + varied}
	for _, a := range args {
		out.plain += " " + a.plain
		out.varied += " " + a.varied
	}
	out.plain += ")"
	out.varied += ")"
	return out
}

// term draws a term of a sort over the variables of env.
func (g *concrete) term(sort string, depth int, env []spelling) spelling {
	inner := g.inner
	out := g.bare(sort, depth, env)
	g.inner = inner
	switch rapid.IntRange(0, 11).Draw(g.t, "wrap") {
	case 0:
		x := g.pick("x", "l", g.fresh()) // may hide another
		out.varied = "(let ((" + x + " " + out.varied + ")) " + x + ")"
	case 1:
		out.varied = "(! " + out.varied + " :weight 3 :pattern ((x) ()) :foo |a)b|)"
	case 2:
		if !g.inner {
			m := "m" + strconv.Itoa(g.count)
			g.count++
			body := "((x Whole) (y Int) (l (List Int)) (b (_ BitVec 8)) (c Bool)) " + variedSorts[sort] + " " + out.varied + ")"
			if g.oneIn(2) {
				body = "(define-fun-rec " + m + " " + body
			} else {
				body = "(define-funs-rec ((" + m + " ((x Int) (y Int) (l (List Int)) (b (_ BitVec 8)) (c Bool)) " + variedSorts[sort] + ") (n" + m + " () Int)) (" + out.varied + " 7))"
			}
			g.macros.WriteString(body + "\n")
			out.varied = "(" + m + " x y l b c)"
		}
	}
	return out
}

func (g *concrete) bare(sort string, depth int, env []spelling) spelling {
	var vars []spelling
	for _, v := range env {
		if v.sort == sort {
			vars = append(vars, v)
		}
	}
	k := rapid.IntRange(0, 5).Draw(g.t, "shape")
	switch {
	case depth == 0 || k == 0:
		if len(vars) > 0 && !g.oneIn(4) {
			return rapid.SampledFrom(vars).Draw(g.t, "variable")
		}
		switch sort {
		case "I":
			return spelling{sort, "(- 5)", g.pick("(- 5)", "-5", "(- 0 5)", "(- 2 3 4)")}
		case "L":
			return spelling{sort, "nil", "(as nil (List Int))"}
		case "B":
			return spelling{sort, "#x0a", g.pick("#x0A", "(_ bv10 8)", "#b00001010", "(_ bv266 8)", "((_ int2bv 8) 10)")}
		}
		return spelling{sort, "true", "true"}
	case k == 1:
		return g.app(sort, "ite", "ite", g.term("T", depth-1, env), g.term(sort, depth-1, env), g.term(sort, depth-1, env))
	case k == 2: // a let around a term that uses it
		v, x := g.term(g.pick("I", "L", "B", "T"), depth-1, env), g.fresh()
		g.inner = true
		body := g.term(sort, depth-1, append(env[:len(env):len(env)], spelling{v.sort, v.plain, x}))
		return spelling{sort, body.plain, "(let ((" + x + " " + v.varied + ")) " + body.varied + ")"}
	case k == 3:
		l := g.term("L", depth-1, env)
		none := g.term(sort, depth-1, env)
		h, t := g.fresh(), g.fresh()
		g.inner = true
		some := g.term(sort, depth-1, append(env[:len(env):len(env)], spelling{"I", "(hd " + l.plain + ")", h}, spelling{"L", "(tl " + l.plain + ")", t}))
		cons, rest := "((cons "+h+" "+t+") "+some.varied+")", "("+g.pick("nil", "_", g.fresh())+" "+none.varied+")"
		cases := cons + rest
		if strings.HasPrefix(rest, "(nil ") && g.oneIn(2) {
			cases = rest + cons
		}
		return spelling{sort, "(ite ((_ is cons) " + l.plain + ") " + some.plain + " " + none.plain + ")", "(match " + l.varied + " (" + cases + "))"}
	}
	a := func(s string) spelling { return g.term(s, depth-1, env) }
	switch sort {
	case "I":
		switch k {
		case 4:
			return g.app(sort, "+", "+", a("I"), a("I"))
		}
		return g.app(sort, "hd", "hd", a("L"))
	case "L":
		if k == 4 {
			return g.app(sort, "cons", g.pick("cons", "(as cons (List Int))"), a("I"), a("L"))
		}
		return g.app(sort, "tl", "tl", a("L"))
	case "B":
		op := g.pick("bvudiv", "bvsdiv", "bvurem", "bvsrem", "bvsmod")
		return g.app(sort, op, g.pick(op, op+"_i"), a("B"), a("B"))
	}
	switch g.pick("is", "=", "<=", "or", "xor", "=>", "not") {
	case "is":
		return g.app("T", "(_ is cons)", g.pick("(_ is cons)", "is-cons", "(_ is (cons (Int (List Int)) (List Int)))"), a("L"))
	case "<=":
		return g.app("T", "<=", "<=", a("I"), a("I"))
	case "or":
		return g.app("T", "or", "or", a("T"), a("T"))
	case "xor":
		x, y := a("T"), a("T")
		return spelling{"T", "(not (= " + x.plain + " " + y.plain + "))", g.app("T", "", g.pick("xor", "distinct"), x, y).varied}
	case "=>":
		x, y, z := a("T"), a("T"), a("T")
		return spelling{"T", "(or (not " + x.plain + ") (not " + y.plain + ") " + z.plain + ")", g.app("T", "", "=>", x, y, z).varied}
	case "not":
		return g.app("T", "not", "not", a("T"))
	}
	s := g.pick("I", "L", "B", "T")
	return g.app("T", "=", "=", a(s), a(s))
}

var tokens = regexp.MustCompile(`\|[^|]*\||[()]|[^\s()|]+`)

// layout puts other white space and comments between the tokens of a script.
func (g *concrete) layout(src string) string {
	var b strings.Builder
	for _, tok := range tokens.FindAllString(src, -1) {
		b.WriteString(tok)
		b.WriteString(g.pick(" ", " ", " ", " ", "\n", "\r", "\t", "\r\n", "; c (\r", " ;|\n", ";\r\n"))
	}
	return b.String()
}

// Scripts read to clauses of equal values, however they are spelled.
func TestConcreteSyntax(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &concrete{t: t}
		env := []spelling{{"I", "x", "x"}, {"I", "y", "|y|"}, {"L", "l", "l"}, {"B", "b", "b"}, {"T", "c", "c"}}
		var plain, varied strings.Builder
		for i := range rapid.IntRange(1, 3).Draw(t, "clauses") {
			c, x, l, b := g.term("T", 3, env), g.term("I", 2, env), g.term("L", 2, env), g.term("B", 2, env)
			fmt.Fprintf(&plain, "(assert (forall ((x Int) (y Int) (l L) (b (_ BitVec 8)) (c Bool)) (=> (and (P x l b) %s) (P %s %s %s))))\n", c.plain, x.plain, l.plain, b.plain)
			body := fmt.Sprintf("(=> (P x l b) %s (P %s %s %s))", c.varied, x.varied, l.varied, b.varied)
			if g.oneIn(2) {
				body = fmt.Sprintf("(! (=> (and (P x l b) %s) (P %s %s %s)) :named n%d)", c.varied, x.varied, l.varied, b.varied, i)
			}
			fmt.Fprintf(&varied, "(assert (forall ((x Whole) (y Int)) (forall ((l (List Int)) (b (Bits Bool)) (c Bool)) %s)))\n", body)
		}
		p := term.NewPool()
		one, err := Read("plain", []byte("(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun P (Int L (_ BitVec 8)) Bool)\n"+plain.String()), p)
		require.NoError(t, err, plain.String())
		text := g.layout(g.pick("(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))", "(declare-datatypes (T) ((List nil (cons (hd T) (tl List)))))",
			"(declare-datatype List (par (|T|) (nil (cons (hd T) (tl (List T))))))") +
			"(define-sort Whole () Int)(define-sort Bits (X) (_ BitVec 8))" + g.macros.String() + "(declare-fun P (Int (List Whole) (Bits (List Bool))) Bool)" + varied.String())
		two, err := Read("varied", []byte(text), p)
		require.NoError(t, err, text)
		require.Len(t, two.System.Clauses, len(one.System.Clauses))
		for i := range one.System.Clauses {
			for seed := range int64(6) {
				require.Equal(t, valuesOf(one.System, i, seed), valuesOf(two.System, i, seed), "%s\n%s", plain.String(), text)
			}
		}
	})
}

// valuesOf returns the values of the constraint and the arguments of a clause under an assignment that the seed tells.
func valuesOf(sys *chc.System, i int, seed int64) []string {
	c, p := sys.Clauses[i], sys.Pool
	values := term.MapAssignment{}
	list := c.Body[0].Pred.Sorts[1]
	r := rand.New(rand.NewSource(seed))
	ls := p.Construct(list.Data.Constructors[0])
	for range r.Intn(3) {
		ls = p.Construct(list.Data.Constructors[1], p.Int(r.Int63n(7)-5), ls)
	}
	for name, v := range map[string]*term.Term{"x": p.Int(r.Int63n(9) - 6), "y": p.Int(r.Int63n(9) - 6), "b": p.BVNum(term.NewInt(r.Int63n(12)), 8), "c": p.Bool(seed%2 == 0), "l": ls} {
		values[p.Var(name, v.Sort())] = term.TermValue(v)
	}
	var out []string
	for _, t := range append(append([]*term.Term{c.Constraint}, c.Body[0].Args...), c.Head.Args...) {
		text := "undetermined"
		if v, ok := term.NewEvaluator(p, values).Eval(t); ok {
			text = strings.NewReplacer("(as nil (List Int))", "nil").Replace(v.String())
		}
		out = append(out, text)
	}
	return out
}
