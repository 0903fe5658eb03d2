package spacer

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// mistaken answers with the models of another solver.
type mistaken struct {
	smt.Solver
	other smt.Solver
}

func (m mistaken) Model() (*smt.Model, error) {
	if _, err := m.other.Check(context.Background()); err != nil {
		return nil, err
	}
	return m.other.Model()
}

// TestProjectionDoesNotBelieveModels: a model that is none ends the run as incomplete, not as a fault.
func TestProjectionDoesNotBelieveModels(t *testing.T) {
	pr := newTestProver(t, step)
	x := pr.preds[0].Params[0]
	m := term.MapAssignment{x: term.NumValue(term.NewInt(1), term.Int)}
	_, err := pr.projectTo([]*term.Term{pr.pool.Gt(x, pr.pool.Int(6))}, nil, m)
	var gaveUp *engine.Incomplete
	require.True(t, errors.As(err, &gaveUp))
}

// TestGroundStepsDoNotBelieveModels: values under which a step does not hold are asked for again elsewhere.
func TestGroundStepsDoNotBelieveModels(t *testing.T) {
	pr := newTestProver(t, step)
	x := pr.preds[0].Params[0]
	right, err := pr.smt.NewSolver(pr.options.solver())
	require.NoError(t, err)
	wrong, err := pr.smt.NewSolver(pr.options.solver())
	require.NoError(t, err)
	require.NoError(t, wrong.Assert(pr.pool.Eq(x, pr.pool.Int(1))))
	g := &grounder{pr: pr, solver: mistaken{right, wrong}}
	eval, err := g.satisfy(context.Background(), []*term.Term{pr.pool.Gt(x, pr.pool.Int(6)), pr.pool.Lt(x, pr.pool.Int(8))})
	require.NoError(t, err)
	value, ok := eval.Eval(x)
	require.True(t, ok)
	require.Equal(t, "7", value.String())

	_, err = g.satisfy(context.Background(), []*term.Term{pr.pool.Gt(x, pr.pool.Int(6)), pr.pool.Lt(x, pr.pool.Int(7))})
	var gaveUp *engine.Incomplete
	require.True(t, errors.As(err, &gaveUp))
}
