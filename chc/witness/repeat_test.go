package witness_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/smtlib"
)

// countsUp counts up to a limit that another predicate knows, over two predicates; clause 2 counts what is left down.
const countsUp = `(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(declare-fun q (Int Int Int) Bool)
(declare-fun limit (Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (= x 0) (= y 3)) (p x y z))))
(assert (forall ((z Int)) (=> (>= z 7) (limit z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (limit z) (< x z) (not (= x 1000))) (q x (- z x) z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (q x y z) (p (+ x 1) y z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= x z) (> x 5)) false)))
(check-sat)
`

// counted is a refutation of countsUp that repeats its loop, from the state after one round in which y is z - x + 1.
const counted = `(refutation
  (step 0 (clause 0) (values (x 0) (y 3) (z LIMIT)) (premises))
  (step 1 (clause 1) (values (z LIMIT)) (premises))
  (step 2 (clause 2) (values (x 0) (y 3) (z LIMIT)) (premises 0 1))
  (step 3 (clause 3) (values (x 0) (y LIMIT) (z LIMIT)) (premises 2))
  (step 4 (repeat REST) (premises 3 1) (round
    (step 0 (clause 2) (values (x 1 (by 1)) (y LIMIT (by (- 1))) (z LIMIT)) (premises 0 1))
    (step 1 (clause 3) (values (x 1 (by 1)) (y REST (by (- 1))) (z LIMIT)) (premises 2))))
  (step 5 (clause 4) (values (x LIMIT) (y 1) (z LIMIT)) (premises 4))
)
`

// readCounted reads a refutation of countsUp, with replacements made in counted.
func readCounted(t *testing.T, limit, rest string, replacements ...string) (*smtlib.Script, *witness.Refutation) {
	script, err := smtlib.Read("test", []byte(countsUp), term.NewPool())
	require.NoError(t, err)
	text := strings.NewReplacer("LIMIT", limit, "REST", rest).Replace(counted)
	if len(replacements) > 0 {
		changed := strings.NewReplacer(replacements...).Replace(text)
		require.NotEqual(t, text, changed)
		text = changed
	}
	r, err := smtlib.ReadRefutation("test", []byte(text), script)
	require.NoError(t, err)
	return script, r
}

func TestRepeatedSteps(t *testing.T) {
	for _, c := range [][2]string{{"7", "6"}, {"500", "499"}} {
		script, r := readCounted(t, c[0], c[1])
		require.NoError(t, witness.CheckRefutation(t.Context(), script.System, r))
		var text bytes.Buffer
		require.NoError(t, witness.PrintRefutation(&text, script.System, r))
		again, err := smtlib.ReadRefutation("test", text.Bytes(), script)
		require.NoError(t, err)
		require.NoError(t, witness.CheckRefutation(t.Context(), script.System, again))
		var second bytes.Buffer
		require.NoError(t, witness.PrintRefutation(&second, script.System, again.Prune()))
		require.Equal(t, text.String(), second.String())
		written, err := r.Unroll(witness.MaxWritten)
		require.NoError(t, err)
		require.False(t, written.Repeats())
		require.NoError(t, witness.CheckRefutation(t.Context(), script.System, written))
		d, err := witness.RefutationJSON(script.System, r)
		require.NoError(t, err)
		require.Equal(t, c[1], d.Steps[4].Repeat)
		require.Equal(t, []string{c[0], "1", c[0]}, d.Steps[4].Head.Arguments)
		require.Equal(t, "(- 1)", d.Steps[4].Round[0].Values[1].Increment)
	}
	// A disequality that fails in the middle of 2^64 rounds.
	script, r := readCounted(t, "18446744073709551616", "18446744073709551615")
	require.ErrorIs(t, witness.CheckRefutation(t.Context(), script.System, r), witness.ErrUndecided)
	_, err := r.Unroll(witness.MaxWritten)
	require.ErrorIs(t, err, witness.ErrRepeats)
}

// Two repetitions that leave out the round with the disequality, which 2^256 rounds then do not disturb.
func TestRepeatManyRounds(t *testing.T) {
	src := strings.Replace(countsUp, "(not (= x 1000))", "(not (= (* 2 x) 1001))", 1)
	script, err := smtlib.Read("test", []byte(src), term.NewPool())
	require.NoError(t, err)
	limit := "115792089237316195423570985008687907853269984665640564039457584007913129639936"
	text := strings.NewReplacer("LIMIT", limit, "REST", limit[:len(limit)-1]+"5").Replace(counted)
	r, err := smtlib.ReadRefutation("test", []byte(text), script)
	require.NoError(t, err)
	require.NoError(t, witness.CheckRefutation(t.Context(), script.System, r))
}

// The checker refuses repetitions that are wrong, each in one place.
func TestForgedRepeats(t *testing.T) {
	for name, forged := range map[string][]string{
		"too few rounds":             {"(repeat 499)", "(repeat 498)"},
		"too many rounds":            {"(repeat 499)", "(repeat 500)"},
		"no rounds":                  {"(repeat 499)", "(repeat 0)"},
		"another start":              {"(step 0 (clause 2) (values (x 1 ", "(step 0 (clause 2) (values (x 2 "},
		"another increment":          {"(step 0 (clause 2) (values (x 1 (by 1))", "(step 0 (clause 2) (values (x 1 (by 2))"},
		"no increment":               {"(step 1 (clause 3) (values (x 1 (by 1))", "(step 1 (clause 3) (values (x 1)"},
		"a value that does not fit":  {"(y 499 (by (- 1)))", "(y 498 (by (- 1)))"},
		"another first premise":      {"(premises 3 1)", "(premises 0 1)"},
		"a premise of another kind":  {"(premises 3 1)", "(premises 3 0)"},
		"a swapped premise":          {"(z 500)) (premises 0 1))", "(z 500)) (premises 1 0))"},
		"a round that uses no fact":  {"(premises 2))))", "(premises 1))))"},
		"a changing constant":        {"(y 500 (by (- 1))) (z 500))", "(y 500 (by (- 1))) (z 500 (by 1)))"},
		"a result of other values":   {"(clause 4) (values (x 500) (y 1)", "(clause 4) (values (x 500) (y 2)"},
		"a fractional increment":     nil,
		"a clause of another system": nil,
		"a later premise":            nil,
		"a repetition at the end":    nil,
	} {
		t.Run(name, func(t *testing.T) {
			script, r := readCounted(t, "500", "499", forged...)
			switch name {
			case "a fractional increment":
				for x := range r.Steps[4].Repeat.Round[0].Values {
					r.Steps[4].Repeat.Round[0].Increments[x] = term.NewRat(1, 2)
				}
			case "a clause of another system":
				other := *r.Steps[4].Repeat.Round[1].Clause
				r.Steps[4].Repeat.Round[1].Clause = &other
			case "a later premise":
				r.Steps[4].Premises[0] = 5
			case "a repetition at the end":
				r.Steps = r.Steps[:5]
			}
			require.ErrorIs(t, witness.CheckRefutation(t.Context(), script.System, r), witness.ErrInvalid)
		})
	}
	// The guard fails in the middle, or only in the last round.
	script, r := readCounted(t, "1500", "1499")
	require.Error(t, witness.CheckRefutation(t.Context(), script.System, r))
	script, r = readCounted(t, "1001", "1000")
	require.ErrorIs(t, witness.CheckRefutation(t.Context(), script.System, r), witness.ErrInvalid)
}

// What the checker accepts with repetitions it also accepts when they are written out.
func TestRepeatsMeanTheirRounds(t *testing.T) {
	accepted, refused := 0, 0
	property := func(t *rapid.T) {
		p := term.NewPool()
		step := rapid.SampledFrom([]string{"(+ x 1)", "(- x 2)", "x", "(+ x y)", "(+ x (mod y 2))"}).Draw(t, "x")
		then := rapid.SampledFrom([]string{"y", "(+ y 2)", "(ite (< x 3) y (+ y 1))", "(div x 2)", "(* 2 x)"}).Draw(t, "y")
		guard := rapid.SampledFrom([]string{"true", "(< x 4)", "(> (+ x y) (- 3))", "(not (= x y))", "(= (mod y 2) 0)", "(or (< x 2) (> y 3))"}).Draw(t, "guard")
		src := "(set-logic HORN) (declare-fun p (Int Int) Bool)\n" +
			"(assert (forall ((x Int) (y Int)) (p x y)))\n" +
			"(assert (forall ((x Int) (y Int)) (=> (and (p x y) " + guard + ") (p " + step + " " + then + "))))\n" +
			"(assert (forall ((x Int) (y Int)) (=> (p x y) false)))"
		script, err := smtlib.Read("test", []byte(src), p)
		require.NoError(t, err)
		cs := script.System.Clauses
		x, y := p.Var("x", term.Int), p.Var("y", term.Int)
		number := func(name string, low, high int64) term.Num {
			return term.NewInt(rapid.Int64Range(low, high).Draw(t, name))
		}
		value := func(n term.Num) term.Value { return term.NumValue(n, term.Int) }
		a, b, da, db := number("a", -4, 6), number("b", -4, 6), number("da", -2, 2), number("db", -2, 2)
		count := number("rounds", 1, 6)
		round := witness.RoundStep{Clause: cs[1], Values: map[*term.Term]term.Value{x: value(a), y: value(b)}, Increments: map[*term.Term]term.Num{x: da, y: db}, Premises: []int{0}}
		last := round.At(count.Sub(term.NewInt(1)))
		end, err := witness.HeadValues(p, last)
		require.NoError(t, err)
		r := &witness.Refutation{Steps: []witness.Step{
			{Clause: cs[0], Values: round.Values},
			{Repeat: &witness.Repeat{Count: count, Round: []witness.RoundStep{round}}, Premises: []int{0}},
			{Clause: cs[2], Values: map[*term.Term]term.Value{x: end[0], y: end[1]}, Premises: []int{1}},
		}}
		written, err := r.Unroll(100)
		require.NoError(t, err)
		if witness.CheckRefutation(context.Background(), script.System, r) != nil {
			refused++
			return
		}
		accepted++
		require.NoError(t, witness.CheckRefutation(context.Background(), script.System, written))
	}
	for tries := 0; tries < 20 && (accepted == 0 || refused == 0); tries++ {
		rapid.Check(t, property) // few of those drawn are right
	}
	require.Positive(t, accepted)
	require.Positive(t, refused)
}

// Arrays and records change in their numbers: the checker follows them, and refuses what is wrong about that.
func TestRepeatsOfElements(t *testing.T) {
	src := `(set-logic HORN)
(declare-datatypes ((Account 0)) (((account (amount Int) (open Bool)))))
(declare-fun p ((Array Int Account) Account) Bool)
(assert (p ((as const (Array Int Account)) (account 0 false)) (account 1 true)))
(assert (forall ((a (Array Int Account)) (b Account) (i Int))
	(=> (and (p a b) (< (amount (select a i)) 900)) (p (store a i (account (+ 2 (amount (select a i))) (open (select a i)))) (account (+ 1 (amount b)) (open b))))))
(assert (forall ((a (Array Int Account)) (b Account)) (=> (and (p a b) (= (amount (select a 3)) 1000) (> (amount b) 500)) false)))`
	const steps = `(refutation
  (step 0 (clause 0) (values) (premises))
  (step 1 (repeat 450) (premises 0) (round (step 0 (clause 1) (values
    (a ((as const (Array Int Account)) (account 0 false)) (then (store ((as const (Array Int Account)) (account 0 false)) 3 (account 2 false))))
    (b (account 1 true) (then (account 2 true))) (i 3)) (premises 0))))
  (step 2 (clause 2) (values (a (store ((as const (Array Int Account)) (account 0 false)) 3 (account 900 false))) (b (account 451 true))) (premises 1)))`
	check := func(src, text string) error {
		script, err := smtlib.Read("test", []byte(src), term.NewPool())
		require.NoError(t, err)
		r, err := smtlib.ReadRefutation("test", []byte(text), script)
		require.NoError(t, err)
		var printed bytes.Buffer
		require.NoError(t, witness.PrintRefutation(&printed, script.System, r))
		again, err := smtlib.ReadRefutation("test", printed.Bytes(), script)
		require.NoError(t, err)
		first := witness.CheckRefutation(t.Context(), script.System, r)
		second := witness.CheckRefutation(t.Context(), script.System, again)
		require.Equal(t, first == nil, second == nil)
		if written, err := r.Unroll(witness.MaxWritten); first == nil && err == nil {
			require.NoError(t, witness.CheckRefutation(t.Context(), script.System, written))
		}
		return first
	}
	reached := strings.NewReplacer("1000", "900", "500", "450").Replace(src)
	require.NoError(t, check(reached, steps))
	many := strings.NewReplacer("900", "36893488147419103231", "1000", "36893488147419103232").Replace(src)
	require.NoError(t, check(many, strings.NewReplacer("450", "18446744073709551616", "900", "36893488147419103232", "451", "18446744073709551617").Replace(steps)))
	for name, forged := range map[string][2]string{
		"one round more":             {"(repeat 450)", "(repeat 451)"},
		"one round less":             {"(repeat 450)", "(repeat 449)"},
		"another increment":          {"3 (account 2 false))))", "3 (account 4 false))))"},
		"another element":            {"(then (store ((as const (Array Int Account)) (account 0 false)) 3", "(then (store ((as const (Array Int Account)) (account 0 false)) 4"},
		"a flag that changes":        {"3 (account 2 false))))", "3 (account 2 true))))"},
		"a record that stays":        {" (then (account 2 true))", ""},
		"a record that grows faster": {"(then (account 2 true))", "(then (account 3 true))"},
		"everything else grows":      {"(then (store ((as const (Array Int Account)) (account 0 false)) 3", "(then (store ((as const (Array Int Account)) (account 1 false)) 3"},
		"another result":             {"(account 900 false)", "(account 898 false)"},
	} {
		text := strings.Replace(steps, forged[0], forged[1], 1)
		require.NotEqual(t, steps, text, name)
		require.ErrorIs(t, check(reached, text), witness.ErrInvalid, name)
	}
}
