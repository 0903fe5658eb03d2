package passes_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/chc/transform/prune"
	"hornbeam/chc/witness"
	"hornbeam/internal/hornoracle"
)

func names(ps []transform.Pass) []string {
	out := []string{}
	for _, p := range ps {
		out = append(out, p.Name)
	}
	return out
}

func TestEveryPassIsDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range passes.All() {
		require.NotEmpty(t, p.Name)
		require.False(t, seen[p.Name], p.Name)
		seen[p.Name] = true
		require.NotNil(t, p.Run, p.Name)
		require.Regexp(t, `^[A-Z].*\.$`, p.Doc)
	}
	require.Subset(t, names(passes.All()), names(passes.Default()))
}

func TestSelect(t *testing.T) {
	all, def := names(passes.All()), names(passes.Default())
	for list, want := range map[string][]string{
		"default":                  def,
		"":                         {},
		"none":                     {},
		"all":                      all,
		"slice, coi":               {"coi", "slice"},
		"coi,slice,coi":            {"coi", "slice"},
		"all,none,merge":           {"merge"},
		"normalise,slice,-slice":   {"normalise"},
		"default,none":             {},
		"none,-slice,merge,-merge": {},
	} {
		ps, err := passes.Select(list)
		require.NoError(t, err, list)
		require.Equal(t, want, names(ps), list)
	}
	less, err := passes.Select("-slice,-inline,cells")
	require.NoError(t, err)
	require.NotContains(t, names(less), "slice")
	require.NotContains(t, names(less), "inline")
	require.Contains(t, names(less), "cells")
	require.Len(t, less, len(def)-1)
	for _, list := range []string{"slices", "default,-", "-nothing", "coi;slice"} {
		_, err := passes.Select(list)
		require.Error(t, err, list)
	}
}

func TestPipelineWithoutPasses(t *testing.T) {
	sys := read(t, "(declare-rel p (Int)) (rule (p 0)) (rule (=> (and (p x) (= x 0)) false))")
	next, back, report, err := transform.Pipeline(t.Context(), env, sys, nil)
	require.NoError(t, err)
	require.Same(t, sys, next)
	require.Equal(t, report.Before, report.After)
	require.Empty(t, report.Passes)
	ref := hornoracle.Solve(sys, hornoracle.DefaultOptions()).Refutation()
	same, err := back.Refutation(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, ref, same)
}

func TestPipelineStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _, err := transform.Pipeline(ctx, env, program(10, 3), passes.Default())
	require.ErrorIs(t, err, context.Canceled)
}

func TestPipelineReports(t *testing.T) {
	sys := program(20, 4)
	next, _, report, err := transform.Pipeline(t.Context(), env, sys, passes.Default())
	require.NoError(t, err)
	require.Equal(t, transform.Count(sys), report.Before)
	require.Equal(t, transform.Count(next), report.After)
	var removed transform.Counts
	for i, p := range report.Passes {
		require.Equal(t, passes.Default()[i].Name, p.Name)
		require.Positive(t, p.Runs)
		removed.Clauses += p.Removed.Clauses
		removed.Predicates += p.Removed.Predicates
		removed.Arguments += p.Removed.Arguments
	}
	require.Equal(t, report.Before.Clauses-report.After.Clauses, removed.Clauses)
	require.Equal(t, report.Before.Predicates-report.After.Predicates, removed.Predicates)
	require.Equal(t, report.Before.Arguments-report.After.Arguments, removed.Arguments)
}

// The same input gives the same output, fresh names included.
func TestPipelineIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.IntRange(0, 1<<20).Draw(t, "seed")
		draw := rapid.Custom(func(t *rapid.T) *chc.System { return hornoracle.Draw(t, hornoracle.DefaultShape()) })
		first, _, _, err := transform.Pipeline(t.Context(), env, draw.Example(seed), passes.Default())
		require.NoError(t, err)
		second, _, _, err := transform.Pipeline(t.Context(), env, draw.Example(seed), passes.Default())
		require.NoError(t, err)
		require.Equal(t, text(first), text(second))
	})
}

// A translator must refuse what it cannot translate rather than make something up.
func TestTranslatorsRefuseForeignWitnesses(t *testing.T) {
	sys := read(t, "(declare-rel p (Int Int)) (rule (=> (= x 0) (p x y))) (rule (=> (and (p x y) (= x 0)) false))")
	next, back := run(t, prune.Slice(), sys)
	_, err := back.Model(t.Context(), witness.NewModel())
	require.ErrorContains(t, err, "p")
	ref := hornoracle.Solve(sys, hornoracle.DefaultOptions()).Refutation()
	_, err = back.Refutation(t.Context(), ref)
	require.Error(t, err)
	requireUnsat(t, sys, next, back)
}
