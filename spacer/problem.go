package spacer

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// infinity is the level of a lemma that holds for every number of steps.
const infinity = 1 << 30

// predicate is an unknown relation together with all that the prover knows of it.
type predicate struct {
	*rule.Predicate
	// recursive reports whether a rule of the predicate has it in its body.
	recursive bool
	// conflicts counts the obligations of the predicate that were blocked.
	conflicts int
	// congruenceFailures counts the trials of congruences since the last success.
	congruenceFailures int
	// carriedParams is what carried returns, once it was asked for, and carriedFailures counts the trials of cubes about them since the
	// last success.
	carriedParams   map[*term.Term]bool
	carriedFailures int

	lemmas      []*lemma
	lemmaOf     map[*term.Term]*lemma
	facts       []*fact
	factOf      map[*term.Term]*fact
	frame       *frame
	obligations map[obligationKey]*obligation
	// blocks counts how often each cube was blocked.
	blocks map[*term.Term]int
	// gaps counts how often a cube with each of them was blocked.
	gaps map[gap]int
	// weakened are clauses learned from other engines of which lemmas has only a consequence: the model has them too.
	weakened []*term.Term
}

// problem is the system in normal form, with the prover's state of each predicate.
type problem struct {
	system *rule.System
	pool   *term.Pool
	// copies renames between parameters and copies.
	copies *rule.Renamer
	// preds are by rule.Predicate.ID, the goal's among them.
	preds []*predicate
	goal  *predicate
	// vocabulary is what occurs in the clauses, and moduli the divisors among it that congruences are tried with.
	vocabulary *rule.Vocabulary
	moduli     []term.Num
	// coefficientLimit bounds the coefficients of half-spaces.
	coefficientLimit term.Num
}

// newProblem brings a system into the prover's form.
func newProblem(sys *chc.System, o options) *problem {
	system := rule.New(sys)
	pr := &problem{system: system, pool: sys.Pool, copies: rule.NewRenamer(system), vocabulary: rule.NewVocabulary(sys)}
	for _, p := range system.Predicates {
		pr.preds = append(pr.preds, &predicate{
			Predicate: p, recursive: slices.ContainsFunc(p.Uses, func(u rule.Use) bool { return u.Rule.Head == p }),
			lemmaOf: map[*term.Term]*lemma{}, factOf: map[*term.Term]*fact{}, obligations: map[obligationKey]*obligation{}, blocks: map[*term.Term]int{}, gaps: map[gap]int{},
		})
	}
	pr.goal = pr.of(system.Goal)
	for _, k := range pr.vocabulary.Divisors {
		if k.IsInt() && k.Cmp(term.NewInt(1)) > 0 && k.Cmp(term.NewInt(int64(o.largestModulus))) <= 0 {
			pr.moduli = append(pr.moduli, k)
		}
	}
	pr.coefficientLimit = term.NewInt(int64(o.coefficients))
	if c := pr.vocabulary.Coefficient; c.Cmp(pr.coefficientLimit) > 0 {
		pr.coefficientLimit = c
	}
	return pr
}

// of returns the prover's state of a predicate.
func (pr *problem) of(p *rule.Predicate) *predicate { return pr.preds[p.ID] }

// comparedConstants returns the numerals of the clauses, their multiples by the divisors that occur, the neighbours of
// these and the negations of all, in increasing order.
func (pr *problem) comparedConstants() []term.Num {
	one := term.NewInt(1)
	factors := append([]term.Num{one}, pr.moduli...)
	var all []term.Num
	for _, t := range pr.vocabulary.Numerals {
		for _, f := range factors {
			n := t.Num().Mul(f)
			for _, k := range []term.Num{n.Sub(one), n, n.Add(one)} {
				all = append(all, k, k.Neg())
			}
		}
	}
	slices.SortFunc(all, term.Num.Cmp)
	return slices.CompactFunc(all, term.Num.Equal)
}
