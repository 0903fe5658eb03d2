package itp

import (
	"context"
	"fmt"

	"hornbeam/chc/term"
)

// Sequence returns labels for a chain of n parts whose conjunction is unsatisfiable: n-1 formulas I_1..I_{n-1}, I_i over
// ifaces[i-1], such that part 1 implies I_1, I_i and part i+1 imply I_{i+1}, and I_{n-1} contradicts part n. Each is the
// interpolant of the label before it with its part, and of the parts that follow, so that the chain holds by
// construction. Variables that two parts share must be in the interfaces between them. Errors are those of Binary; with
// ErrNotDisjoint the parts are satisfiable together.
func (it *Interpolator) Sequence(ctx context.Context, parts []*term.Term, ifaces [][]*term.Term) ([]*term.Term, error) {
	if len(parts) < 2 || len(ifaces) != len(parts)-1 {
		return nil, fmt.Errorf("interpolate a sequence: %d parts and %d interfaces", len(parts), len(ifaces))
	}
	p := it.pool
	labels := make([]*term.Term, 0, len(ifaces))
	before := p.True()
	for i, shared := range ifaces {
		label, err := it.Binary(ctx, p.And(before, parts[i]), p.And(parts[i+1:]...), shared)
		if err != nil {
			return nil, fmt.Errorf("label %d of %d: %w", i+1, len(ifaces), err)
		}
		labels = append(labels, label)
		before = label
	}
	return labels, nil
}
