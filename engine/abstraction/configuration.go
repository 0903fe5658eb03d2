package abstraction

import (
	"context"

	"hornbeam/chc/term"
)

// configuration is a row of the table in which the algorithms differ.
type configuration struct {
	engine, variant string
	// abstract returns the label of the head of a hyperedge, and whether the hyperedge is feasible as far as it is known.
	abstract func(x *explorer, ctx context.Context, e edge) (label []*term.Term, feasible bool, err error)
	// cover looks for a cover of a node, and reports whether there is one now.
	cover func(x *explorer, ctx context.Context, n *node) (bool, error)
	// refine uses the interpolants of a spurious derivation of a query, one for each of its instances, over their arguments.
	refine func(x *explorer, ctx context.Context, d *derivation, interpolants []*term.Term) error
}

// table has the configurations. Those of the paper that need no graph, bounded model checking and k-induction, are other engines.
var table = []configuration{
	{"impact", "plain", (*explorer).top, (*explorer).implied, (*explorer).strengthen},
	{"impact", "forced", (*explorer).top, (*explorer).forced, (*explorer).strengthen},
	{"predicates", "cartesian", (*explorer).cartesian, (*explorer).implied, (*explorer).track},
	{"predicates", "boolean", (*explorer).boolean, (*explorer).implied, (*explorer).track},
}

func configurationOf(engine, variant string) configuration {
	for _, c := range table {
		if c.engine == engine && c.variant == variant {
			return c
		}
	}
	panic("no configuration " + engine + " " + variant)
}
