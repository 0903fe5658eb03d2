package svcomp

import "hornbeam/frontend/c/tree"

// Invariant is a condition, as an expression of C, that holds whenever a run comes to a place.
type Invariant struct {
	// Loop is set where the place is the beginning of a loop statement; else it is any statement.
	Loop     bool
	Pos      tree.Pos
	Function *tree.Function
	Text     string
}

type invariant struct {
	Invariant struct {
		Type     string   `yaml:"type"`
		Location location `yaml:"location"`
		Value    string   `yaml:"value"`
		Format   string   `yaml:"format"`
	} `yaml:"invariant"`
}

// Correctness writes a correctness witness.
func Correctness(m Metadata, invariants []Invariant) ([]byte, error) {
	content := make([]invariant, len(invariants))
	for i, v := range invariants {
		out := &content[i].Invariant
		out.Type = "location_invariant"
		if v.Loop {
			out.Type = "loop_invariant"
		}
		out.Location, out.Value, out.Format = at(v.Pos, v.Function), v.Text, "c_expression"
	}
	return document("invariant_set", m, content)
}
