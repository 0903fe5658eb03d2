package spacer

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
)

// options are the prover's settings.
type options struct {
	// must switches must summaries on; off is GPDR.
	must bool
	// halfspaces switches half-space lemmas on; separations bounds the implicants looked at for one.
	halfspaces  bool
	separations int
	// strength says how close to either side a half-space is chosen.
	strength itp.Strength
	// alternate chooses half-spaces in the middle at every other bound.
	alternate bool
	// coefficientLimit bounds the coefficients of half-spaces.
	coefficientLimit term.Num
	// inductive switches inductive generalisation on.
	inductive bool
	// arrayProjection eliminates arrays by their theory's rules rather than by their values.
	arrayProjection bool
	// weakArrays asks every query with a weak theory of arrays first.
	weakArrays bool
	// arrayLemmas and arrayQueries privilege equalities of arrays in lemmas and in obligations.
	arrayLemmas, arrayQueries bool
	// congruences is the number of failed trials after which congruences are not tried for a predicate.
	congruences int
	// rebuildAfter is the number of superseded formulas after which a predicate's solver is built anew.
	rebuildAfter         int
	solver               smt.Params
	checkLimit, tryLimit smt.Limit
}

// Options are the prover's settings, by name.
func Options() []engine.Option {
	return []engine.Option{
		{Name: "spacer.halfspaces", Kind: "bool", Default: "true", Doc: "learn half-spaces that separate a blocked cube from what can be reached"},
		{Name: "spacer.separations", Kind: "int", Default: "12", Doc: "how many implicants are looked at for one half-space lemma"},
		{Name: "spacer.strength", Kind: "string", Default: "strong", Choices: []string{"strong", "middle", "weak", "alternate"}, Doc: "where between what can be reached and the blocked cube a half-space is laid; alternate is strong and middle in turns, a bound each"},
		{Name: "spacer.coefficients", Kind: "int", Default: "5", Doc: "the largest coefficient of a half-space lemma, or the largest of the problem if that is more"},
		{Name: "spacer.inductive", Kind: "bool", Default: "true", Doc: "drop literals of a lemma while it stays inductive relative to the frames"},
		{Name: "spacer.array-projection", Kind: "bool", Default: "true", Doc: "eliminate array variables from obligations by the rules of their theory; off, they get their values, for comparison"},
		{Name: "spacer.weak-arrays", Kind: "bool", Default: "false", Doc: "ask every query with a weak theory of arrays first; on the development tasks it neither gained nor lost"},
		{Name: "spacer.array-equalities", Kind: "string", Default: "lemmas", Choices: []string{"off", "lemmas", "both"}, Doc: "privilege equalities between whole arrays over what is known of single cells: in lemmas, or in obligations too"},
		{Name: "spacer.congruences", Kind: "int", Default: "20", Min: -1, Doc: "failed trials in a row after which a predicate's equalities are no longer generalised to congruences; -1 generalises none"},
		{Name: "spacer.rebuild-after", Kind: "int", Default: "400", Doc: "superseded formulas after which a predicate's solver is built anew"},
		{Name: "spacer.arith-solver", Kind: "int", Default: "2", Choices: []string{"2", "6", "0"}, Doc: "Z3's arith.solver in the prover's queries: 2, 6 or 0 for Z3's own default"},
		{Name: "spacer.check-limit", Kind: "duration", Default: "60s", Doc: "the longest that one query may take before it is asked of a solver with other settings"},
		{Name: "spacer.try-limit", Kind: "duration", Default: "5s", Doc: "the longest that a query may take whose answer only helps: generalisation and pushing"},
	}
}

func newOptions(s engine.Settings, must bool) (options, error) {
	v, err := engine.NewValues(Options(), s.Options)
	if err != nil {
		return options{}, err
	}
	return options{
		must: must, halfspaces: v.Bool("spacer.halfspaces"),
		strength:    map[string]itp.Strength{"strong": itp.Strong, "middle": itp.Middle, "weak": itp.Weak}[v.Text("spacer.strength")],
		separations: v.Int("spacer.separations"), coefficientLimit: term.NewInt(int64(v.Int("spacer.coefficients"))), inductive: v.Bool("spacer.inductive"),
		weakArrays:      v.Bool("spacer.weak-arrays"),
		arrayProjection: v.Bool("spacer.array-projection"),
		arrayLemmas:     v.Text("spacer.array-equalities") != "off", arrayQueries: v.Text("spacer.array-equalities") == "both",
		congruences:  v.Int("spacer.congruences"),
		rebuildAfter: v.Int("spacer.rebuild-after"),
		solver:       smt.Params{ArithSolver: v.Int("spacer.arith-solver")},
		tryLimit:     smt.Limit{Time: v.Duration("spacer.try-limit")},
		checkLimit:   smt.Limit{Time: v.Duration("spacer.check-limit")},
	}, nil
}

// Engine is the prover with may and must summaries.
func Engine() engine.Engine {
	return newEngine("spacer", "Proves and refutes with may summaries (lemmas at levels) and must summaries (reach facts), "+
		"model-based projection and half-space lemmas; linear and non-linear clauses.", true)
}

// GPDR is the prover without must summaries.
func GPDR() engine.Engine {
	return newEngine("gpdr", "The prover without must summaries, for comparison.", false)
}

func newEngine(name, doc string, must bool) engine.Engine {
	return engine.Engine{
		Name: name, Doc: doc, Options: Options(), Fragment: fragment,
		Solve: func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
			o, err := newOptions(s, must)
			if err != nil {
				return engine.Answer{}, err
			}
			return solve(ctx, sys, s, o)
		},
	}
}

// fragment accepts every system; what projection cannot eliminate it replaces by values.
func fragment(*chc.System) error { return nil }
