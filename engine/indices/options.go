package indices

import (
	"time"

	"hornbeam/engine"
)

// options are the engine's settings. What each field means is said in table.
type options struct {
	treeNodes  int
	minimise   bool
	queryLimit time.Duration
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "indices.minimise", Field: &o.minimise, Default: "true", Doc: "whether only some of the indices at which a proof that a derivation is spurious reads and writes are tracked, where these exclude it"},
		engine.Option{Name: "indices.tree-nodes", Field: &o.treeNodes, Default: "400", Doc: "the largest derivation tree that is tried on the arrays as a tree; of larger ones, steps that several others use stay one step"},
		engine.Option{Name: "indices.query-limit", Field: &o.queryLimit, Default: "20s", Doc: "the longest that one query about a derivation may take"},
	)
}
