package affine

import (
	"context"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// explore applies clauses to tuples that were derived, which is easy for the solver where the general question is not. It
// keeps those tuples that break something that is known, so that they are few.
func (in *inference) explore(ctx context.Context, steps []*step) error {
	type visit struct {
		step  *step
		point int
	}
	visited := map[visit]bool{}
	for again := true; again; {
		again = false
		for _, s := range steps {
			if len(s.clause.Body) > 1 {
				continue
			}
			n := 1
			if len(s.clause.Body) == 1 {
				n = len(in.states[s.clause.Body[0].Pred.ID].points)
			}
			for i := range n {
				if in.late() || visited[visit{s, i}] {
					continue
				}
				visited[visit{s, i}] = true
				var premises []*term.Term
				if len(s.clause.Body) == 1 {
					a := s.clause.Body[0]
					for k, v := range in.states[a.Pred.ID].points[i] {
						premises = append(premises, in.pool.Eq(a.Args[k], v.Term(in.pool)))
					}
				}
				for range in.options.points {
					status, changed, err := in.leave(ctx, s, premises, in.states[s.clause.Head.Pred.ID].formulas(in.pool))
					if err != nil {
						return err
					}
					again = again || changed
					if status != smt.Sat || !changed {
						break
					}
				}
			}
		}
	}
	return nil
}
