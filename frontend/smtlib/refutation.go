package smtlib

import (
	"fmt"
	"strconv"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// ReadRefutation reads a refutation of the script's system as the witness package prints it: an optional line `unsat`,
// then
//
//	(refutation
//	(step 0 (clause 3) (values (x 5) (y (- 1))) (premises))
//	(step 1 (clause 7) (values (x 5)) (premises 0))
//	)
//
// or with steps that repeat others, where the clause is an index in System.Clauses, each variable of the clause has a value, written `(name sort value)`
// when the clause has two variables of the name, and premises are numbers of earlier steps, one a body atom. It is the
// checker that tells whether the steps fit together.
func ReadRefutation(name string, src []byte, script *Script) (ref *witness.Refutation, err error) {
	defer rescue(&err)
	r := witnessReader(name, src, script)
	r.next()
	if r.kind == tokSymbol {
		if !r.word("unsat") && !r.word("infeasible") {
			r.fail(r.off, "expected a refutation, got %s", r.what())
		}
		r.next()
	}
	open := r.off
	if r.kind == tokOpen {
		r.next()
	}
	if !r.word("refutation") {
		r.fail(r.off, "expected (refutation …), got %s", r.what())
	}
	ref = &witness.Refutation{}
	numbers := map[int]int{}
	for r.next(); r.kind != tokClose; r.next() {
		switch r.kind {
		case tokOpen:
			r.step(ref, numbers, script)
		case tokEOF:
			r.unclosed(open)
		default:
			r.fail(r.off, "expected a step, got %s", r.what())
		}
	}
	if len(ref.Steps) == 0 {
		r.fail(r.off, "a refutation has at least one step")
	}
	if r.next(); r.kind != tokEOF {
		r.fail(r.off, "expected the end of the file, got %s", r.what())
	}
	return ref, nil
}

// step reads the step whose '(' is the current token and adds it to ref; numbers maps step numbers to indices.
func (r *reader) step(ref *witness.Refutation, numbers map[int]int, script *Script) {
	r.commandOff = r.off
	r.expectWord("step")
	number := r.index("a step number")
	if _, twice := numbers[number]; twice {
		r.fail(r.off, "there are two steps %d", number)
	}
	step := r.stepBody(fmt.Sprintf("step %d", number), numbers, script)
	numbers[number] = len(ref.Steps)
	ref.Steps = append(ref.Steps, step)
}

// stepBody reads a step after its number: an instance of a clause, or a repetition. numbers has the numbers that its premises
// may have.
func (r *reader) stepBody(what string, numbers map[int]int, script *Script) witness.Step {
	r.expect(tokOpen, "before the clause")
	r.expectSymbol("clause or repeat")
	if r.word("repeat") {
		return r.repetition(numbers, script)
	}
	if !r.word("clause") {
		r.fail(r.off, "expected clause or repeat, got %s", r.what())
	}
	return r.clauseStep(what, numbers, script, nil)
}

// clauseStep reads the clause, the values and the premises of a step; the word clause is the current token. In a round, which is nil
// elsewhere, values may change, which is noted there.
func (r *reader) clauseStep(what string, numbers map[int]int, script *Script, round *witness.RoundStep) (step witness.Step) {
	start := r.commandOff
	id := r.index("a clause number")
	if id >= len(script.System.Clauses) {
		r.fail(r.off, "there is no clause %d: the last one is %d", id, len(script.System.Clauses)-1)
	}
	r.expect(tokClose, "after the clause number")
	step = witness.Step{Clause: script.System.Clauses[id], Values: map[*term.Term]term.Value{}}
	vars := step.Clause.Vars()
	r.parts(func(part string) bool {
		switch part {
		case "values":
			for r.next(); r.kind != tokClose; r.next() {
				r.value(&step, vars, round)
			}
		case "premises":
			step.Premises = r.premises(numbers)
		default:
			return false
		}
		return true
	}, "values or premises")
	for _, v := range vars {
		if _, ok := step.Values[v]; !ok {
			r.fail(start, "%s gives no value to variable %s of clause %d", what, term.QuoteSymbol(v.Name()), id)
		}
	}
	return step
}

// parts reads lists that begin with different words, up to a ')'; read is called at the word and reads up to the list's ')'.
func (r *reader) parts(read func(word string) bool, expected string) {
	seen := map[string]bool{}
	for r.next(); r.kind != tokClose; r.next() {
		if r.kind != tokOpen {
			r.fail(r.off, "expected a list with %s, got %s", expected, r.what())
		}
		r.expectSymbol(expected)
		part := string(r.text())
		if seen[part] {
			r.fail(r.off, "%s stands twice in a step", part)
		}
		seen[part] = true
		if !read(part) {
			r.fail(r.off, "expected %s, got %s", expected, r.what())
		}
	}
}

// repetition reads a repetition; the word repeat is the current token.
func (r *reader) repetition(numbers map[int]int, script *Script) witness.Step {
	r.expect(tokNumeral, "for the number of rounds")
	count, err := term.ParseNum(string(r.text()))
	if err != nil || !count.IsInt() {
		r.fail(r.off, "expected the number of rounds, got %s", r.what())
	}
	r.expect(tokClose, "after the number of rounds")
	step := witness.Step{Repeat: &witness.Repeat{Count: count}}
	r.parts(func(part string) bool {
		switch part {
		case "premises":
			step.Premises = r.premises(numbers)
		case "round":
			// The facts of the premises, and then those of the round's steps.
			own := map[int]int{}
			for k := range step.Premises {
				own[k] = k
			}
			for r.next(); r.kind != tokClose; r.next() {
				j := len(step.Repeat.Round)
				r.commandOff = r.off
				if r.kind != tokOpen {
					r.fail(r.off, "expected a step, got %s", r.what())
				}
				r.expectWord("step")
				if n := r.index("a step number"); n != j {
					r.fail(r.off, "expected step %d of the round, got %d", j, n)
				}
				r.expect(tokOpen, "before the clause")
				r.expectWord("clause")
				round := witness.RoundStep{Increments: map[*term.Term]term.Num{}, Next: map[*term.Term]term.Value{}}
				s := r.clauseStep(fmt.Sprintf("step %d of the round", j), own, script, &round)
				if len(s.Terms) > 0 {
					r.fail(r.commandOff, "a step of a round has values that depend on what SMT-LIB leaves open")
				}
				round.Clause, round.Values, round.Premises = s.Clause, s.Values, s.Premises
				step.Repeat.Round = append(step.Repeat.Round, round)
				own[len(own)] = len(own)
			}
		default:
			return false
		}
		return true
	}, "premises, and then round")
	return step
}

// premises reads numbers of steps up to a ')'.
func (r *reader) premises(numbers map[int]int) (out []int) {
	for r.next(); r.kind != tokClose; r.next() {
		out = append(out, r.premise(numbers))
	}
	return out
}

// premise returns the index of the step whose number is the current token.
func (r *reader) premise(numbers map[int]int) int {
	if r.kind != tokNumeral {
		r.fail(r.off, "expected a step number, got %s", r.what())
	}
	n, err := strconv.Atoi(string(r.text()))
	i, ok := numbers[n]
	if err != nil || !ok {
		r.fail(r.off, "there is no earlier step %s", r.what())
	}
	return i
}

// value reads `(name value)` or `(name sort value)`, and where round is not nil also `(by number)` or `(then value)` after the value;
// its '(' is the current token.
func (r *reader) value(step *witness.Step, vars []*term.Term, round *witness.RoundStep) {
	if r.kind != tokOpen {
		r.fail(r.off, "expected a value (name value), got %s", r.what())
	}
	r.expectSymbol("a variable name")
	off, name := r.off, string(r.text())
	var found []*term.Term
	for _, v := range vars {
		if v.Name() == name {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		r.fail(off, "clause %d has no variable %s", step.Clause.ID, term.QuoteSymbol(name))
	}
	v := found[0]
	if len(found) > 1 {
		s := r.sort()
		v = nil
		for _, f := range found {
			if f.Sort() == s {
				v = f
			}
		}
		if v == nil {
			r.fail(off, "clause %d has no variable %s of sort %s", step.Clause.ID, term.QuoteSymbol(name), s)
		}
	}
	if _, twice := step.Values[v]; twice {
		r.fail(off, "variable %s has two values", term.QuoteSymbol(name))
	}
	o := r.term(inner)
	t := r.coerce(o, v.Sort(), "the value of "+term.QuoteSymbol(name))
	val, ok := valueOf(r.pool, t)
	if !ok {
		// A value that depends on what SMT-LIB leaves open is a ground term.
		if val, ok = term.NewTotalEvaluator(r.pool, term.MapAssignment{}).Eval(t); !ok || !t.IsGround() {
			r.fail(o.off, "%s is not a value", clip(r.src[o.off:r.pos]))
		}
		if step.Terms == nil {
			step.Terms = map[*term.Term]*term.Term{}
		}
		step.Terms[v] = t
	}
	step.Values[v] = val
	if r.next(); r.kind == tokOpen && round != nil {
		word, what := "by", "increment"
		if !v.Sort().IsArith() {
			word, what = "then", "value in the second round"
		}
		r.expectWord(word)
		o := r.term(inner)
		w, ok := valueOf(r.pool, r.coerce(o, v.Sort(), "the "+what+" of "+term.QuoteSymbol(name)))
		if !ok {
			r.fail(o.off, "%s is no %s", clip(r.src[o.off:r.pos]), what)
		}
		if v.Sort().IsArith() {
			round.Increments[v] = w.Num()
		} else {
			round.Next[v] = w
		}
		r.expect(tokClose, "after the "+what)
		r.next()
	}
	if r.kind != tokClose {
		r.fail(r.off, "expected ')' after the value, got %s", r.what())
	}
}

// valueOf is the value that the closed term t has in every interpretation.
func valueOf(p *term.Pool, t *term.Term) (term.Value, bool) {
	if t.IsValue() {
		return term.TermValue(t), true
	}
	return term.NewEvaluator(p, term.MapAssignment{}).Eval(t)
}
