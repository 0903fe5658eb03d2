package verify_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// svlibTasks are the scripts of package svlib, which say their verdicts by (set-info :status …).
func svlibTasks(t *testing.T) (files []string) {
	t.Helper()
	files, err := filepath.Glob("../frontend/svlib/testdata/*.svlib")
	require.NoError(t, err)
	require.Greater(t, len(files), 30)
	return files
}

var svlibStatus = regexp.MustCompile(`\(set-info :status (\w+)\)`)

func decideSVLIB(t *testing.T, file string, src []byte) *verify.Result {
	t.Helper()
	o, err := verify.NewOptions(map[string]string{"runs": "100ms"})
	require.NoError(t, err)
	o.Witness = true
	ctx, stop := portfolio.WithLimits(t.Context(), time.Minute, 0)
	defer stop()
	r, err := verify.Program(ctx, verify.Request{
		File: file, Source: src, Language: engine.SVLIB, Options: o,
		Solver: portfolio.Request{Check: true, Stats: engine.NewStats()},
	})
	require.NoError(t, err)
	return r
}

// checkWitness checks a witness of a script.
func checkWitness(t *testing.T, file string, src []byte, text string) error {
	t.Helper()
	_, err := verify.CheckSVLIB(t.Context(), file, src, "witness.svlib", []byte(text), z3.Open)
	return err
}

// Scripts have the verdicts that they say, in pairs of which one is correct and the other is not, and the witness of every verdict
// is confirmed by the check, which does not use the clauses.
func TestSVLIBVerdicts(t *testing.T) {
	for _, file := range svlibTasks(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			r := decideSVLIB(t, file, src)
			want := map[string]engine.Verdict{"correct": engine.Sat, "incorrect": engine.Unsat, "unknown": engine.Unknown}
			require.Equal(t, want[svlibStatus.FindStringSubmatch(string(src))[1]], r.Verdict, r.Reason)
			if r.Verdict == engine.Unknown {
				return
			}
			for _, c := range r.SVLIB {
				require.Empty(t, c.Missing)
				require.Empty(t, c.Unconfirmed)
				require.Empty(t, c.Dropped)
			}
			require.NoError(t, checkWitness(t, file, src, string(r.Witness(file, "test", false))))
		})
	}
}

// A witness that is not one of the script is refused, and says why.
func TestSVLIBWrongWitnesses(t *testing.T) {
	trace := func(rest string) string { return "((select-trace " + rest + "))" }
	for _, test := range []struct{ task, witness, want string }{
		{"while-safe", "()", "may not hold"},
		{"while-safe", "((annotate-tag loop :invariant (< 0 s)))", "may not hold"},
		{"while-safe", "((annotate-tag loop :invariant (<= 0 i)))", "may not hold"},
		{"calls-safe", "((annotate-tag inc :ensures (= count (+ (at count inc) by))))", "may not hold"},
		{"calls-safe", "((annotate-tag inc :ensures (and (= old-count (at count inc)) (= count by))))", "may not hold"},
		{"nested-safe", "((annotate-tag outer :invariant (<= 0 s)))", "may not hold"},
		{"fibonacci-safe", "((annotate-tag fib :ensures (<= 1 r)))", "may not hold"},
		// What it requires of the procedure that the call names has to hold, and counts for that call alone.
		{"fibonacci-unsafe", "((annotate-tag main :requires false))", "may not hold"},
		{"again-safe", "((annotate-tag twice :requires (= n 5) :ensures (= r 7)) (annotate-tag twice :ensures (= r (+ n 2))))", "may not hold"},
		{"again-safe", "((annotate-tag inc :ensures (= r (+ n 1)))) ()", "may not hold"},
		// The values that the run needs.
		{"assume-unsafe", trace("(model (define-fun c () Int 8)) (init-global-vars) (entry-proc main) (steps (init-proc-vars main)) (incorrect-annotation check :check-true (< x 18))"), "breaks no annotation"},
		{"assume-unsafe", trace("(model (define-fun c () Int 10)) (init-global-vars) (entry-proc main) (steps (init-proc-vars main)) (incorrect-annotation check :check-true (< x 18))"), "blocked"},
		{"assume-unsafe", trace("(model (define-fun c () Int 9)) (init-global-vars) (entry-proc main) (steps (init-proc-vars main)) (incorrect-annotation check :check-true (< x 17))"), "another annotation"},
		{"assume-unsafe", trace("(model (define-fun c () Int 9)) (init-global-vars) (entry-proc main) (steps (init-proc-vars main)) (incorrect-annotation main :check-true (< x 18))"), "another annotation"},
		{"choice-unsafe", trace("(model) (init-global-vars) (entry-proc main) (steps (init-proc-vars main) (choice 1) (choice 1) (choice 1)) (incorrect-annotation end :check-true (not (= x 7)))"), "breaks no annotation"},
		{"choice-unsafe", trace("(model) (init-global-vars) (entry-proc main) (steps (init-proc-vars main) (choice 1) (choice 1)) (incorrect-annotation end :check-true (not (= x 7)))"), "no choice among 3 ways"},
		{"choice-unsafe", trace("(model) (init-global-vars) (entry-proc main) (steps (init-proc-vars main) (choice 1) (choice 1) (choice 3)) (incorrect-annotation end :check-true (not (= x 7)))"), "no choice among 3 ways"},
		{"functions-unsafe", trace("(model (define-fun f ((a Int) (b Int)) Int 5) (define-fun x () Int 1)) (init-global-vars) (entry-proc main) (steps (init-proc-vars main)) (incorrect-annotation end :check-true (= (f x 3) 5))"), "breaks no annotation"},
		{"functions-unsafe", trace("(model (define-fun f ((a Int) (b Int)) Int 4) (define-fun x () Int 1)) (init-global-vars) (entry-proc main) (steps (init-proc-vars main)) (incorrect-annotation end :check-true (= (f x 3) 5))"), "another annotation|breaks no annotation"},
		// A leap goes where the invariant allows.
		{"weak-invariant-unsafe", trace("(model (define-fun x1 () Int 0) (define-fun y1 () Int 0)) (init-global-vars) (entry-proc add) (steps (init-proc-vars add) (leap while-loop (x 1) (y 0))) (incorrect-annotation proc-add :ensures (= x (+ x0 y0)))"), "blocked"},
		{"weak-invariant-unsafe", trace("(model (define-fun x1 () Int 0) (define-fun y1 () Int 0)) (init-global-vars) (entry-proc add) (steps (init-proc-vars add) (leap proc-add (x 1) (y -1))) (incorrect-annotation proc-add :ensures (= x (+ x0 y0)))"), "no step leap"},
		{"calls-unsafe", trace("(model) (init-global-vars) (entry-proc inc) (steps) (incorrect-annotation end :check-true (= count 5))"), "begins with inc"},
	} {
		file := "../frontend/svlib/testdata/" + test.task + ".svlib"
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		err = checkWitness(t, file, src, test.witness)
		require.ErrorIs(t, err, witness.ErrInvalid, test.witness)
		require.Regexp(t, test.want, err.Error(), test.witness)
	}
}

// What is wrong with a witness is said at its own place.
func TestSVLIBWitnessErrors(t *testing.T) {
	src := []byte("(define-proc p () () ((x Int)) (! (havoc x) :tag p))\n(declare-const c Int) (verify-call p ())\n(verify-call p (c))")
	for _, test := range []struct{ witness, want string }{
		{"(\n(annotate-tag p\n :ensures (= y 0)))", "w.svlib:3:14: unknown symbol y"},
		{"((annotate-tag p :ensures (= x 0)) (assert false))", `w.svlib:1:36: "assert" is no command of a witness`},
		{"((annotate-tag p :ensures (= x 0))", "w.svlib:1:35: unexpected end of file: the parenthesis at 1:1 is not closed"},
		{"((select-trace (model)) (annotate-tag p :check-true false))", "w.svlib:1:25: a witness with a select-trace gives no annotations: the run has to break one of the script"},
		{"() ()\n() ()", "w.svlib:1:1: 4 witnesses for 2 calls"},
		{"((select-trace (model)))", "w.svlib:1:2: select-trace takes 5 or more arguments, got 1"},
		{"()", "p.svlib:3:16: p takes 0 arguments, got 1"},
	} {
		own := src
		if test.witness != "()" {
			own = []byte(strings.Replace(string(src), "(c)", "()", 1))
		}
		_, err := verify.CheckSVLIB(t.Context(), "p.svlib", own, "w.svlib", []byte(test.witness), z3.Open)
		require.EqualError(t, err, test.want)
	}
}

// untagged has loops, a label and procedures without tags, of which the witness has to say something, also between verify-calls.
const untagged = `(set-logic ALL)
(declare-var g Int)
(define-proc sum ((n Int)) ((s Int)) ((i Int))
  (sequence
    (assign (s 0) (i 0))
    (while (< i n) (assign (s (+ s 2)) (i (+ i 1))))
    (label here)
    (assign (g (+ g 1)))))
(define-proc first () () ((x Int))
  (sequence (assume (= g 5)) (call sum (4) (x)) (! (assume true) :check-true (and (= g 6) (>= x 8)))))
(verify-call first ())
(define-proc second () () ((x Int))
  (sequence (assign (x 0)) (while (< x 7) (assign (x (+ x 1)))) (! (assume true) :check-true (= x 7))))
(verify-call second ())
`

// Places without tags are named by where they stand, so that the witness is complete, whatever stands before them in what is checked.
func TestSVLIBPlacesWithoutTags(t *testing.T) {
	r := decideSVLIB(t, "p.svlib", []byte(untagged))
	require.Equal(t, engine.Sat, r.Verdict, r.Reason)
	for _, c := range r.SVLIB {
		require.Empty(t, c.Dropped)
		require.Empty(t, c.Unconfirmed)
	}
	text := string(r.Witness("p.svlib", "test", false))
	for _, want := range []string{"|6:5| :invariant", "|4:3| :ensures", "(old g)", "|13:28| :invariant"} {
		require.Contains(t, text, want)
	}
	require.NoError(t, checkWitness(t, "p.svlib", []byte(untagged), text))
	require.ErrorIs(t, checkWitness(t, "p.svlib", []byte(untagged), "() ((annotate-tag |13:28| :invariant (< x 7)))"), witness.ErrInvalid)
	// In a script itself such a name is nothing but a tag that there is not.
	own := strings.Replace(untagged, "(verify-call second ())", "(annotate-tag |13:28| :invariant false) (verify-call second ())", 1)
	require.Equal(t, engine.Sat, decideSVLIB(t, "p.svlib", []byte(own)).Verdict)
}

// A script that asks nothing has no verdict.
func TestSVLIBWithoutCalls(t *testing.T) {
	r := decideSVLIB(t, "p.svlib", []byte("(set-logic ALL)\n(declare-var g Int)\n"))
	require.Equal(t, engine.Unknown, r.Verdict)
	require.Contains(t, r.Reason, "no verify-call")
}
