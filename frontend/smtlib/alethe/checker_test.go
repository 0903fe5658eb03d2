package alethe_test

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A checker of the rules that proofs use, written from their descriptions in "The Alethe Proof Format" (and from Carcara's for cong's
// and resolution's premises and for evaluate, which it adds). It shares no code with the printer: it reads S-expressions itself, and
// evaluates them itself.

// sexp is an S-expression.
type sexp struct {
	atom string
	list []sexp
}

func (s sexp) String() string {
	if s.list == nil {
		return s.atom
	}
	parts := make([]string, len(s.list))
	for i, p := range s.list {
		parts[i] = p.String()
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func (s sexp) head() string {
	if len(s.list) == 0 {
		return ""
	}
	return s.list[0].atom
}

// readAll reads a text.
func readAll(text string) (all []sexp) {
	stack := [][]sexp{{}}
	add := func(s sexp) { stack[len(stack)-1] = append(stack[len(stack)-1], s) }
	for text != "" {
		switch c := text[0]; {
		case c == ';':
			_, text, _ = strings.Cut(text, "\n")
		case c == '(':
			stack, text = append(stack, []sexp{}), text[1:]
		case c == ')':
			top := stack[len(stack)-1]
			stack, text = stack[:len(stack)-1], text[1:]
			add(sexp{list: top})
		case c == '|':
			end := strings.IndexByte(text[1:], '|') + 2
			add(sexp{atom: text[:end]})
			text = text[end:]
		case strings.ContainsRune(" \t\r\n", rune(c)):
			text = text[1:]
		default:
			end := strings.IndexAny(text+" ", " \t\r\n();")
			add(sexp{atom: text[:end]})
			text = text[end:]
		}
	}
	return stack[0]
}

// substitute replaces variables, and writes lets out, which Carcara does on request.
func substitute(s sexp, values map[string]sexp) sexp {
	if s.list == nil {
		if v, ok := values[s.atom]; ok {
			return v
		}
		return s
	}
	inner := map[string]sexp{}
	for name, v := range values {
		inner[name] = v
	}
	switch s.head() {
	case "let":
		for _, b := range s.list[1].list {
			inner[b.list[0].atom] = substitute(b.list[1], values)
		}
		return substitute(s.list[2], inner)
	case "forall", "exists":
		for _, b := range s.list[1].list {
			delete(inner, b.list[0].atom)
		}
		return sexp{list: []sexp{s.list[0], s.list[1], substitute(s.list[2], inner)}}
	}
	out := sexp{list: make([]sexp, len(s.list))}
	for i, p := range s.list {
		out.list[i] = substitute(p, values)
	}
	return out
}

// value is a Boolean or a number.
type value struct {
	truth  bool
	number *big.Rat
}

var errValue = errors.New("no value")

// evaluate is the value of a ground term.
func evaluate(s sexp) (value, error) {
	if s.list == nil {
		switch {
		case s.atom == "true" || s.atom == "false":
			return value{truth: s.atom == "true"}, nil
		default:
			n, ok := new(big.Rat).SetString(s.atom)
			if !ok {
				return value{}, fmt.Errorf("%w: %s", errValue, s)
			}
			return value{number: n}, nil
		}
	}
	args := make([]value, len(s.list)-1)
	numbers, truths := 0, 0
	for i, p := range s.list[1:] {
		var err error
		if args[i], err = evaluate(p); err != nil {
			return value{}, err
		}
		if args[i].number != nil {
			numbers++
		} else {
			truths++
		}
	}
	compare := func(ok func(int) bool) (value, error) {
		for i := 1; i < len(args); i++ {
			if numbers < len(args) {
				return value{}, errValue
			}
			if !ok(args[i-1].number.Cmp(args[i].number)) {
				return value{}, nil
			}
		}
		return value{truth: true}, nil
	}
	fold := func(f func(z, x, y *big.Rat) *big.Rat) (value, error) {
		if numbers < len(args) {
			return value{}, errValue
		}
		total := args[0].number
		for _, a := range args[1:] {
			total = f(new(big.Rat), total, a.number)
		}
		return value{number: total}, nil
	}
	switch s.head() {
	case "not":
		return value{truth: !args[0].truth}, nil
	case "and":
		return value{truth: !slices.ContainsFunc(args, func(a value) bool { return !a.truth })}, nil
	case "or":
		return value{truth: slices.ContainsFunc(args, func(a value) bool { return a.truth })}, nil
	case "=>":
		return value{truth: !args[0].truth || args[1].truth}, nil
	case "=", "distinct":
		same := numbers == len(args) && args[0].number.Cmp(args[1].number) == 0 || truths == len(args) && args[0].truth == args[1].truth
		if len(args) != 2 || numbers*truths > 0 {
			return value{}, errValue
		}
		return value{truth: same == (s.head() == "=")}, nil
	case "ite":
		if args[0].truth {
			return args[1], nil
		}
		return args[2], nil
	case "<":
		return compare(func(c int) bool { return c < 0 })
	case "<=":
		return compare(func(c int) bool { return c <= 0 })
	case ">":
		return compare(func(c int) bool { return c > 0 })
	case ">=":
		return compare(func(c int) bool { return c >= 0 })
	case "+":
		return fold((*big.Rat).Add)
	case "*":
		return fold((*big.Rat).Mul)
	case "/":
		if args[1].number.Sign() == 0 {
			return value{}, errValue
		}
		return fold((*big.Rat).Quo)
	case "-":
		if len(args) == 1 {
			return value{number: new(big.Rat).Neg(args[0].number)}, nil
		}
		return fold((*big.Rat).Sub)
	case "div", "mod":
		if args[1].number.Sign() == 0 {
			return value{}, errValue
		}
		quotient, remainder := new(big.Int).DivMod(args[0].number.Num(), args[1].number.Num(), new(big.Int))
		if s.head() == "mod" {
			quotient = remainder
		}
		return value{number: new(big.Rat).SetInt(quotient)}, nil
	}
	return value{}, fmt.Errorf("%w: %s", errValue, s)
}

// literal is a formula without its negations, and whether their number is odd.
func literal(s sexp) (string, bool) {
	negative := false
	for s.head() == "not" {
		s, negative = s.list[1], !negative
	}
	return s.String(), negative
}

// follows reports whether a clause follows from others by unit propagation: its literals are false, and a clause without a literal that
// is left is empty.
func follows(clause []sexp, premises [][]sexp) bool {
	known := map[string]bool{} // the truth of formulas
	for _, l := range clause {
		name, negative := literal(l)
		known[name] = negative
	}
	for changed := true; changed; {
		changed = false
		for _, p := range premises {
			var open []sexp
			satisfied := false
			for _, l := range p {
				name, negative := literal(l)
				if truth, ok := known[name]; !ok {
					open = append(open, l)
				} else if truth != negative {
					satisfied = true
				}
			}
			switch {
			case satisfied:
			case len(open) == 0:
				return true
			case len(open) == 1:
				name, negative := literal(open[0])
				known[name] = !negative
				changed = true
			}
		}
	}
	return false
}

// checkProof checks a proof that a problem's assertions are contradictory.
func checkProof(problem, proof string) error {
	asserted := map[string]bool{}
	for _, c := range readAll(problem) {
		if c.head() == "assert" {
			asserted[substitute(c.list[1], nil).String()] = true
		}
	}
	clauses := map[string][]sexp{}
	empty := false
	for _, c := range readAll(proof) {
		name := c.list[1].atom
		if clauses[name] != nil {
			return fmt.Errorf("%s stands twice", name)
		}
		switch c.head() {
		case "assume":
			formula := substitute(c.list[2], nil)
			if !asserted[formula.String()] {
				return fmt.Errorf("%s is not asserted: %s", name, formula)
			}
			clauses[name] = []sexp{formula}
		case "step":
			if c.list[2].head() != "cl" {
				return fmt.Errorf("%w: %v is no clause", errRule, c.list[2])
			}
			clause := substitute(c.list[2], nil).list[1:]
			var rule string
			var premises [][]sexp
			var args []sexp
			for i := 3; i+1 < len(c.list); i += 2 {
				switch c.list[i].atom {
				case ":rule":
					rule = c.list[i+1].atom
				case ":premises":
					for _, p := range c.list[i+1].list {
						if clauses[p.atom] == nil {
							return fmt.Errorf("%s has no premise %s", name, p)
						}
						premises = append(premises, clauses[p.atom])
					}
				case ":args":
					args = c.list[i+1].list
				}
			}
			if err := checkStep(rule, clause, premises, args); err != nil {
				return fmt.Errorf("%s, by %s: %w", name, rule, err)
			}
			clauses[name] = clause
			empty = empty || len(clause) == 0
		default:
			return fmt.Errorf("%s is neither an assumption nor a step", c)
		}
	}
	if !empty {
		return errors.New("nothing derives the empty clause")
	}
	return nil
}

var errRule = errors.New("the rule does not derive it")

// checkStep holds a step to its rule.
func checkStep(rule string, clause []sexp, premises [][]sexp, args []sexp) error {
	expect := func(want ...sexp) error {
		if !slices.EqualFunc(clause, want, func(a, b sexp) bool { return a.String() == b.String() }) {
			return fmt.Errorf("%w: %v instead of %v", errRule, clause, want)
		}
		return nil
	}
	not := func(s sexp) sexp { return sexp{list: []sexp{{atom: "not"}, s}} }
	only := func(head string) (sexp, error) {
		if len(premises) != 1 || len(premises[0]) != 1 || premises[0][0].head() != head {
			return sexp{}, fmt.Errorf("%w: it has another premise", errRule)
		}
		return premises[0][0], nil
	}
	switch rule {
	case "true":
		return expect(sexp{atom: "true"})
	case "false":
		return expect(not(sexp{atom: "false"}))
	case "forall_inst":
		if len(clause) != 1 || clause[0].head() != "or" || clause[0].list[1].head() != "not" || clause[0].list[1].list[1].head() != "forall" {
			return errRule
		}
		quantified := clause[0].list[1].list[1]
		values := map[string]sexp{}
		if len(quantified.list[1].list) != len(args) {
			return errRule
		}
		for i, v := range quantified.list[1].list {
			values[v.list[0].atom] = args[i]
		}
		return expect(sexp{list: []sexp{{atom: "or"}, not(quantified), substitute(quantified.list[2], values)}})
	case "or":
		p, err := only("or")
		if err != nil {
			return err
		}
		return expect(p.list[1:]...)
	case "implies":
		p, err := only("=>")
		if err != nil {
			return err
		}
		return expect(not(p.list[1]), p.list[2])
	case "equiv1", "equiv2":
		p, err := only("=")
		if err != nil {
			return err
		}
		if rule == "equiv1" {
			return expect(not(p.list[1]), p.list[2])
		}
		return expect(p.list[1], not(p.list[2]))
	case "and_neg":
		if len(clause) == 0 || clause[0].head() != "and" {
			return errRule
		}
		want := []sexp{clause[0]}
		for _, part := range clause[0].list[1:] {
			want = append(want, not(part))
		}
		return expect(want...)
	case "or_neg":
		var i int
		if _, err := fmt.Sscan(args[0].atom, &i); err != nil || clause[0].head() != "or" || i >= len(clause[0].list)-1 {
			return errRule
		}
		return expect(clause[0], not(clause[0].list[i+1]))
	case "cong":
		if len(clause) != 1 || clause[0].head() != "=" {
			return errRule
		}
		left, right := clause[0].list[1].list, clause[0].list[2].list
		if len(left) != len(right) || len(left) == 0 || left[0].String() != right[0].String() {
			return errRule
		}
		for i := range left {
			if left[i].String() == right[i].String() {
				continue
			}
			want := sexp{list: []sexp{{atom: "="}, left[i], right[i]}}
			if len(premises) == 0 || len(premises[0]) != 1 || premises[0][0].String() != want.String() {
				return fmt.Errorf("%w: no premise %s", errRule, want)
			}
			premises = premises[1:]
		}
		return nil
	case "evaluate":
		if len(clause) != 1 || clause[0].head() != "=" {
			return errRule
		}
		v, err := evaluate(clause[0].list[1])
		if err != nil {
			return err
		}
		if v.number != nil || clause[0].list[2].atom != fmt.Sprint(v.truth) {
			return errRule
		}
		return nil
	case "resolution":
		if !follows(clause, premises) {
			return errRule
		}
		return nil
	}
	return fmt.Errorf("there is no rule %s", rule)
}
