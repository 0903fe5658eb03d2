package catamorphism

import (
	"time"

	"hornbeam/engine"
	"hornbeam/engine/catamorphism/induction"
)

// options are the engine's settings. What each field means is said in table.
type options struct {
	slice, firstSlice time.Duration
	queryLimit        time.Duration
	exploreAfter      int
	exploreSlices     int
	treeNodes         int
	templateAtoms     int
	templatePairs     int
	induction         bool
	prover            induction.Options
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "catamorphism.slice", Field: &o.slice, Default: "2s", Doc: "the time for the first attempt on the clauses over an encoding; it doubles when all encodings were tried"},
		engine.Option{Name: "catamorphism.first-slice", Field: &o.firstSlice, Default: "500ms", Doc: "the time for the clauses over an encoding before invariants of them are looked for among templates"},
		engine.Option{Name: "catamorphism.template-atoms", Field: &o.templateAtoms, Default: "200", Doc: "how many atoms over the arguments of a predicate are templates of invariants"},
		engine.Option{Name: "catamorphism.template-pairs", Field: &o.templatePairs, Default: "45", Doc: "how many of these atoms are paired in disjunctions"},
		engine.Option{Name: "catamorphism.tree-nodes", Field: &o.treeNodes, Default: "400", Doc: "the largest derivation tree that is tried on the datatypes as a tree; of larger ones, steps that several others use stay one step"},
		engine.Option{Name: "catamorphism.induction", Field: &o.induction, Default: "true", Doc: "read predicates as recursive functions and prove clauses by induction, beside folds; of 17 safe development tasks over recursive datatypes, 6 need it"},
		engine.Option{Name: "catamorphism.induction-limit", Field: &o.prover.QueryTime, Default: "400ms", Doc: "the longest that one query may take when clauses are proved by induction over recognised functions"},
		engine.Option{Name: "catamorphism.readings", Field: &o.prover.Readings, Default: "64", Doc: "the most ways in which predicates that depend on each other are read as functions"},
		engine.Option{Name: "catamorphism.explore-after", Field: &o.exploreAfter, Default: "3", Min: 1, Doc: "derivations that are contradicted one by one before equations between functions are looked for; after 3 instead of 6, two tasks of the tail are decided in half the time"},
		engine.Option{Name: "catamorphism.explore-slices", Field: &o.exploreSlices, Default: "3", Min: 1, Doc: "how many slices of time looking for equations may take"},
		engine.Option{Name: "catamorphism.explore-symbols", Field: &o.prover.Symbols, Default: "3", Doc: "the most functions in one side of an equation"},
		engine.Option{Name: "catamorphism.explore-terms", Field: &o.prover.Terms, Default: "1200", Doc: "the most terms of one sort and size that equations are made from"},
		engine.Option{Name: "catamorphism.explore-equations", Field: &o.prover.Equations, Default: "120", Doc: "the most equations that are tried"},
		engine.Option{Name: "catamorphism.query-limit", Field: &o.queryLimit, Default: "2s", Doc: "the longest that one query about folds and derivations may take"},
	)
}

// maxSources bounds the values in the fields of a group's constructors that folds are made over; every fold more is one that
// refinements try.
const maxSources = 6
