package verify

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/witness"
	"hornbeam/frontend"
)

// tried is an attempt that is decided elsewhere.
type tried struct{ writesOut bool }

func (tried) Clauses(context.Context) (*frontend.Clauses, error) { return nil, nil }
func (tried) Proved(*witness.Model) frontend.Finding             { return frontend.Finding{} }
func (tried) Refuted(context.Context, *witness.Refutation) frontend.Finding {
	return frontend.Finding{}
}
func (tried) Open(reason string) string   { return reason }
func (tried) Overflows() bool             { return false }
func (tried) UnprovedOverflows() []string { return nil }
func (tried) AssumeNoOverflow([]string)   {}
func (t tried) WritesOutLoops() bool      { return t.writesOut }

// A proof that says nothing of loops is the answer where invariants are not asked for, and otherwise waits for one that does.
func TestAProofThatWritesOutLoopsWaits(t *testing.T) {
	for _, c := range []struct {
		invariants, other bool
		want              string
	}{{false, true, "unwound"}, {true, true, "main"}, {true, false, "unwound"}} {
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		first := make(chan struct{})
		strategies := []frontend.Strategy[tried]{{Name: "unwound"}, {Name: "main"}}
		r := &race[tried]{invariants: c.invariants, waiting: strategies, ended: make(chan finished[tried], 2), decide: func(ctx context.Context, s frontend.Strategy[tried]) finished[tried] {
			f := finished[tried]{representation: s, attempt: tried{s.Name == "unwound"}}
			f.Step = frontend.Safe
			if s.Name == "unwound" {
				defer close(first)
				return f
			}
			<-first
			if !c.other {
				<-ctx.Done()
				f.Step = frontend.Stop
			} else if !c.invariants {
				<-ctx.Done()
			}
			return f
		}}
		best, _ := r.run(ctx)
		stop()
		require.Equal(t, c.want, best.representation.Name)
		require.Equal(t, frontend.Safe, best.Step)
	}
}
