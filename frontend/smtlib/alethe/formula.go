package alethe

import (
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// formula is an S-expression of the script: an atom, or a list.
type formula struct {
	atom string
	list []*formula
}

func (f *formula) String() string {
	var b strings.Builder
	f.write(&b)
	return b.String()
}

func (f *formula) write(b *strings.Builder) {
	if f.list == nil {
		b.WriteString(f.atom)
		return
	}
	b.WriteByte('(')
	for i, part := range f.list {
		if i > 0 {
			b.WriteByte(' ')
		}
		part.write(b)
	}
	b.WriteByte(')')
}

// is reports whether a formula is an application of a symbol.
func (f *formula) is(symbol string) bool { return len(f.list) > 1 && f.list[0].atom == symbol }

// apply is an application of a symbol.
func apply(symbol string, parts ...*formula) *formula {
	return &formula{list: append([]*formula{{atom: symbol}}, parts...)}
}

func negated(f *formula) *formula { return apply("not", f) }

// mostNodes bounds the size of a formula whose lets are written out.
const mostNodes = 100_000

// expand makes a formula of a node, with the bindings for names, lets written out. size counts down.
func expand(source *smtlib.Embedded, n *smtlib.Node, bound map[string]*formula, size *int) (*formula, error) {
	if *size--; *size < 0 {
		return nil, fmt.Errorf("an assertion without lets has more than %d nodes", mostNodes)
	}
	if !n.IsList() {
		if b, ok := bound[n.Text]; ok && n.IsSymbol() {
			return b, nil
		}
		return &formula{atom: source.Text(n)}, nil
	}
	if n.Word() == "let" && len(n.List) == 3 {
		inner := map[string]*formula{}
		for name, b := range bound {
			inner[name] = b
		}
		for _, binding := range n.List[1].List {
			value, err := expand(source, binding.List[1], bound, size)
			if err != nil {
				return nil, err
			}
			inner[binding.List[0].Text] = value
		}
		return expand(source, n.List[2], inner, size)
	}
	out := &formula{list: make([]*formula, len(n.List))}
	for i, part := range n.List {
		p, err := expand(source, part, bound, size)
		if err != nil {
			return nil, err
		}
		out.list[i] = p
	}
	return out, nil
}

// assertion is an asserted formula.
type assertion struct {
	node *smtlib.Node
	// variables are those of the universal quantifier around matrix, in its order; none where there is none.
	variables []*smtlib.Node
	matrix    *smtlib.Node
}

// assertions are those of a script by where they stand. A script with definitions has none: proofs would need these written out.
func assertions(source *smtlib.Embedded) (map[chc.Position]*assertion, error) {
	nodes, err := source.Nodes()
	if err != nil {
		return nil, err
	}
	out := map[chc.Position]*assertion{}
	for _, n := range nodes {
		switch n.Word() {
		case "define-fun", "define-const", "define-fun-rec", "define-funs-rec", "rule", "query":
			return nil, fmt.Errorf("scripts with %s have no proof in this form", n.Word())
		case "assert":
			a := &assertion{node: n.List[1], matrix: n.List[1]}
			if a.matrix.Word() == "forall" && len(a.matrix.List) == 3 {
				a.variables, a.matrix = a.matrix.List[1].List, a.matrix.List[2]
			}
			out[source.Pos(n)] = a
		}
	}
	return out, nil
}

// valueOf writes a value of Bool, Int or Real.
func valueOf(t *term.Term) (*formula, error) {
	switch t.Sort() {
	case term.Bool, term.Int, term.Real:
		return &formula{atom: t.String()}, nil
	}
	return nil, fmt.Errorf("proofs in this form are about Bool, Int and Real, and not %s", t.Sort())
}
