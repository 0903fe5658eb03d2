package spacer

import (
	"time"

	"hornbeam/engine"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
)

// options are the prover's settings. What each field means is said in table.
type options struct {
	// must switches must summaries on; off is GPDR. It is the engine's, not the user's.
	must bool

	halfspaces       bool
	separations      int
	strength         string
	coefficients     int
	inductive        bool
	boundsAfter      int
	boundConstants   int
	gapsAfter        int
	arrayProjection  bool
	weakArrays       bool
	arrayEqualities  string
	arrayTerms       int
	equalitiesAfter  int
	congruences      int
	congruencesAfter int
	largestModulus   int
	carried          int
	rebuildAfter     int
	arithSolver      int
	checkTime        time.Duration
	tryTime          time.Duration
}

// table is the options with their names, defaults and fields.
func (o *options) table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "spacer.halfspaces", Field: &o.halfspaces, Default: "true", Doc: "learn half-spaces that separate a blocked cube from what can be reached"},
		engine.Option{Name: "spacer.separations", Field: &o.separations, Default: "12", Doc: "how many implicants are looked at for one half-space lemma"},
		engine.Option{Name: "spacer.strength", Field: &o.strength, Default: "strong", Choices: []string{"strong", "middle", "weak", "alternate"}, Doc: "where between what can be reached and the blocked cube a half-space is laid; alternate is strong and middle in turns, a bound each"},
		engine.Option{Name: "spacer.coefficients", Field: &o.coefficients, Default: "5", Doc: "the largest coefficient of a half-space lemma, or the largest of the problem if that is more"},
		engine.Option{Name: "spacer.inductive", Field: &o.inductive, Default: "true", Doc: "drop literals of a lemma while it stays inductive relative to the frames"},
		engine.Option{Name: "spacer.bounds-after", Field: &o.boundsAfter, Default: "4", Min: 1, Doc: "how often a cube is blocked before it is tried with one bound moved to a constant of the problem, as a lemma at infinity; then again at every power of two"},
		engine.Option{Name: "spacer.bound-constants", Field: &o.boundConstants, Default: "24", Doc: "how many constants, half of them the nearest and half the farthest, a bound is moved to"},
		engine.Option{Name: "spacer.gaps-after", Field: &o.gapsAfter, Default: "4", Doc: "how often cubes with an upper bound of one argument far below a lower bound of another are blocked before one is tried with the bounds next to each other; then again at every power of two; 0 tries none"},
		engine.Option{Name: "spacer.array-projection", Field: &o.arrayProjection, Default: "true", Doc: "eliminate array variables from obligations by the rules of their theory; off, they get their values, for comparison"},
		engine.Option{Name: "spacer.weak-arrays", Field: &o.weakArrays, Default: "false", Doc: "ask every query with a weak theory of arrays first; on the development tasks it neither gained nor lost"},
		engine.Option{Name: "spacer.array-equalities", Field: &o.arrayEqualities, Default: "lemmas", Choices: []string{"off", "lemmas", "both"}, Doc: "privilege equalities between whole arrays over what is known of single cells: in lemmas, or in obligations too"},
		engine.Option{Name: "spacer.array-terms", Field: &o.arrayTerms, Default: "8", Doc: "how many array terms of one sort in a cube are paired in such equalities"},
		engine.Option{Name: "spacer.array-equalities-after", Field: &o.equalitiesAfter, Default: "8", Doc: "conflicts of a predicate after which equalities of arrays are privileged in its obligations"},
		engine.Option{Name: "spacer.congruences", Field: &o.congruences, Default: "20", Min: -1, Doc: "failed trials in a row after which a predicate's equalities are no longer generalised to congruences; -1 generalises none"},
		engine.Option{Name: "spacer.congruences-after", Field: &o.congruencesAfter, Default: "64", Doc: "conflicts of a predicate after which congruences are tried in clauses without divisors"},
		engine.Option{Name: "spacer.largest-modulus", Field: &o.largestModulus, Default: "100", Doc: "the largest divisor of the clauses that is tried as the modulus of a congruence"},
		engine.Option{Name: "spacer.carried", Field: &o.carried, Default: "20", Min: -1, Doc: "failed trials in a row after which a predicate's obligations are no longer generalised to what they say of parameters that loops leave alone, such as the index of an array's element; -1 generalises none"},
		engine.Option{Name: "spacer.rebuild-after", Field: &o.rebuildAfter, Default: "400", Doc: "superseded formulas after which a predicate's solver is built anew"},
		engine.Option{Name: "spacer.arith-solver", Field: &o.arithSolver, Default: "2", Choices: []string{"2", "6", "0"}, Doc: "Z3's arith.solver in the prover's queries: 2, 6 or 0 for Z3's own default"},
		engine.Option{Name: "spacer.check-limit", Field: &o.checkTime, Default: "60s", Doc: "the longest that one query may take before it is asked of a solver with other settings; when it has been asked with all, it may take five times as long, up to a minute"},
		engine.Option{Name: "spacer.try-limit", Field: &o.tryTime, Default: "5s", Doc: "the longest that a query may take whose answer only helps: generalisation and pushing"},
	)
}

func newOptions(s engine.Settings, must bool) (options, error) {
	o := options{must: must}
	err := engine.Bind(o.table(), s.Options)
	return o, err
}

// strengthAt is how close to either side a half-space is chosen that is learned for a bound.
func (o *options) strengthAt(bound int) itp.Strength {
	switch {
	case o.strength == "weak":
		return itp.Weak
	case o.strength == "middle", o.strength == "alternate" && bound%2 == 1:
		return itp.Middle
	}
	return itp.Strong
}

func (o *options) solver() smt.Params { return smt.Params{ArithSolver: o.arithSolver} }
