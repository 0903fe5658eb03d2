package alethe_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/frontend/smtlib/alethe"
	"hornbeam/internal/smt/z3"
)

// prove refutes a script and prints the proof.
func prove(t require.TestingT, problem string) (string, error) {
	script, err := smtlib.Read("f", []byte(problem), term.NewPool())
	require.NoError(t, err)
	a := portfolio.Solve(context.Background(), portfolio.Request{System: script.System, Engine: "spacer", Check: true, Open: z3.Open, Stats: engine.NewStats()})
	require.Equal(t, engine.Unsat, a.Verdict, a.Reason)
	var b strings.Builder
	err = alethe.Write(&b, script, a.Refutation)
	return b.String(), err
}

// forms is refuted with every form of clauses that proofs know.
const forms = `(declare-fun p (Int Bool) Bool)(declare-fun |r s| (Real) Bool)(declare-fun q () Bool)
(assert (forall ((x Int) (b Bool) (unused Real)) (=> (and (= x 0) b) (p x b))))
(assert (forall ((x Int) (b Bool)) (let ((y (- x 2))) (=> (p x b) (p y (not b))))))
(assert (forall ((x Int) (b Bool)) (or (not (p x b)) (not (< x (- 3))) (|r s| (/ (to_real x) 3.0)))))
(assert (|r s| 0.0))
(assert (forall ((v Real) (x Int)) (=> (and (or (p x false) (p (+ x 4) true)) (|r s| v) (distinct v 0.0) (and (p x true) (< x (- 3)))) q)))
(assert (or (not q) false))
`

func TestProofsAreChecked(t *testing.T) {
	proof, err := prove(t, strings.Replace(forms, "(to_real x)", "(* 1.0 (- 4.0))", 1))
	require.NoError(t, err)
	require.NoError(t, checkProof(strings.Replace(forms, "(to_real x)", "(* 1.0 (- 4.0))", 1), proof))
	for _, rule := range []string{"forall_inst", "or", "implies", "resolution", "and_neg", "or_neg", "cong", "equiv1", "equiv2", "evaluate", "true", "false"} {
		require.Contains(t, proof, ":rule "+rule, rule)
	}
}

// The refutations of the examples over Bool, Int and Real have proofs, or the reason why not is one that is documented.
func TestExamplesHaveProofs(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*bug*.smt2")
	require.NoError(t, err)
	proved := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), "Array") || strings.Contains(string(text), "BitVec") || strings.Contains(string(text), "declare-datatype") || strings.Contains(string(text), "declare-sort") {
			continue
		}
		proof, err := prove(t, string(text))
		if err != nil {
			require.ErrorIs(t, err, alethe.ErrForm, file)
			continue
		}
		require.NoError(t, checkProof(string(text), proof), file)
		proved++
	}
	require.Greater(t, proved, 5)
}

// A proof with another number, premise or assumption is none: the checker tells.
func TestChangedProofsAreRefused(t *testing.T) {
	problem := `(declare-fun p (Int) Bool)
(assert (p 4))(assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (- x 2)))))(assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))`
	proof, err := prove(t, problem)
	require.NoError(t, err)
	require.NoError(t, checkProof(problem, proof))
	// Nothing refers to the last step, which may have any name.
	last := strings.LastIndex(proof, "(step t") + len("(step t")
	places := slices.DeleteFunc(regexp.MustCompile(`[0-9]+`).FindAllStringIndex(proof, -1), func(at []int) bool { return at[0] == last })
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SampledFrom(places).Draw(t, "place")
		other := rapid.SampledFrom([]string{"7", "11", "99"}).Draw(t, "other")
		if proof[at[0]:at[1]] == other {
			return
		}
		require.Error(t, checkProof(problem, proof[:at[0]]+other+proof[at[1]:]))
	})
}

// A proof is none without one of its steps or premises, and with another rule or operator in one of them.
func TestProofsWithFaultsAreRefused(t *testing.T) {
	problem := `(declare-fun p (Int) Bool)
(assert (p 2))(assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (- x 2)))))(assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))`
	proof, err := prove(t, problem)
	require.NoError(t, err)
	rule, premises := regexp.MustCompile(`:rule \w+`), regexp.MustCompile(`:premises \(([^)]*)\)`)
	operator := regexp.MustCompile(`\((not|>|=|-|or|and|cl|p|=>) |\b(true|false)\)`)
	lines := strings.Split(strings.TrimSpace(proof), "\n")
	faults := 0
	for i, line := range lines {
		refused := func(changed string) {
			if changed != line {
				faults++
				require.Error(t, checkProof(problem, strings.Join(slices.Concat(lines[:i], []string{changed}, lines[i+1:]), "\n")), "%s\ninstead of\n%s", changed, line)
			}
		}
		refused("")
		for _, other := range []string{"resolution", "forall_inst", "implies", "equiv1", "equiv2", "and_neg", "cong", "evaluate", "true", "false", "or"} {
			refused(rule.ReplaceAllString(line, ":rule "+other))
		}
		for _, at := range operator.FindAllStringIndex(line, -1) {
			others := []string{"(< ", "(+ ", "(and ", "(q ", "(cl "}
			if line[at[0]] != '(' {
				others = []string{"7)", "(p 0))"}
			}
			for _, other := range others {
				refused(line[:at[0]] + other + line[at[1]:])
			}
		}
		if at := premises.FindStringSubmatchIndex(line); at != nil {
			all := strings.Fields(line[at[2]:at[3]])
			for k := range all {
				refused(line[:at[2]] + strings.Join(slices.Concat(all[:k], all[k+1:]), " ") + line[at[3]:])
			}
		}
	}
	require.Greater(t, faults, 300)
}

// What has no proof says why.
func TestWhatHasNoProof(t *testing.T) {
	for problem, why := range map[string]string{
		"(declare-fun p ((Array Int Int)) Bool)(assert (forall ((a (Array Int Int))) (p a)))(assert (forall ((a (Array Int Int))) (=> (p a) false)))": "Bool, Int and Real, and not (Array Int Int)",
		"(define-fun f () Bool true)(assert (not f))":                                             "define-fun",
		"(declare-fun p () Bool)(assert (and p (not p)))":                                         "no literal of a Horn clause",
		"(declare-fun p (Int) Bool)(assert (p (div 1 0)))(assert (forall ((x Int)) (not (p x))))": "is not true",
	} {
		_, err := prove(t, problem)
		require.ErrorIs(t, err, alethe.ErrForm)
		require.ErrorContains(t, err, why)
	}
}
