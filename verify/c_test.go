package verify_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/ledger"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// asked are the options with NAME=VALUE words, and with wrap-around, one representation and no runs at random otherwise.
func asked(t *testing.T, words ...string) verify.Options {
	t.Helper()
	set := map[string]string{"int": "wrap", "bits": "ranged", "explore": "0"}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		set[name] = value
	}
	o, err := verify.NewOptions(set)
	require.NoError(t, err)
	return o
}

// decideFunc decides the clauses of a strategy.
type decideFunc = func(ctx context.Context, strategy string, req portfolio.Request) portfolio.Witness

// spacer decides clauses by one engine.
func spacer(ctx context.Context, _ string, req portfolio.Request) portfolio.Witness {
	req.Engine = "spacer"
	return portfolio.Decide(ctx, req)
}

// auto decides clauses as it is done without a choice of engines.
func auto(ctx context.Context, _ string, req portfolio.Request) portfolio.Witness {
	return portfolio.Decide(ctx, req)
}

// hard gives every strategy up.
func hard(context.Context, string, portfolio.Request) portfolio.Witness {
	return portfolio.Witness{Reason: "too hard"}
}

// decideC decides a C program, whose clauses are decided in some way.
func decideC(ctx context.Context, t *testing.T, text string, o verify.Options, decide decideFunc) *verify.Result {
	t.Helper()
	r, err := verify.Program(ctx, verify.Request{
		File: "test.c", Source: []byte(text), Language: engine.C, Options: o, Decide: decide,
		Solver: portfolio.Request{Check: true, Open: z3.Open, Stats: engine.NewStats()},
	})
	require.NoError(t, err, text)
	return r
}

// solver decides the clauses of some strategies and gives up on those of the others, at once or, with a wait, when its context ends.
// It counts the questions of each.
type solver struct {
	decides []string
	// by decides them; nil stands for spacer.
	by   decideFunc
	wait bool

	mu    sync.Mutex
	asked map[string]int
}

func (s *solver) decide(ctx context.Context, strategy string, req portfolio.Request) portfolio.Witness {
	s.mu.Lock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[strategy]++
	s.mu.Unlock()
	if !slices.Contains(s.decides, strategy) {
		if s.wait {
			<-ctx.Done()
		}
		return portfolio.Witness{Reason: strategy + " is too hard"}
	}
	if s.by != nil {
		return s.by(ctx, strategy, req)
	}
	return spacer(ctx, strategy, req)
}

// overflowed are the places of the overflow that is assumed not to happen, joined; none if nothing is assumed.
func overflowed(entries []ledger.Entry) string {
	for _, e := range entries {
		if e.Kind == ledger.SignedOverflow {
			return "assumed " + strings.Join(e.Names, ", ")
		}
	}
	return ""
}
