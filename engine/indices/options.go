package indices

import "hornbeam/engine"

// options are the engine's settings. What each field means is said in table.
type options struct {
	treeNodes          int
	work, minimiseWork int
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "indices.tree-nodes", Field: &o.treeNodes, Default: "400", Doc: "the largest derivation tree that is tried on the arrays as a tree; of larger ones, steps that several others use stay one step"},
		engine.Option{Name: "indices.work", Field: &o.work, Default: "300000", Doc: "the solver's resource units for one query about a derivation; with all paths of its clauses first, and then with one path"},
		engine.Option{Name: "indices.minimise-work", Field: &o.minimiseWork, Default: "100000", Doc: "the same for a query whether fewer of the indices at which the proof that a derivation is spurious reads and writes exclude it; with 0 all of these are tracked"},
	)
}
