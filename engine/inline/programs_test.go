package inline

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hornbeam/chc"
)

// drawProgram draws a program of a few points that assign to variables, test them, and call a procedure that is like them.
func drawProgram(t *rapid.T) *chc.System {
	number := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
	vars := 2 + number("variables", 4)
	points := 1 + number("points", 4)
	params := ""
	for i := range vars {
		params += fmt.Sprintf(" (x%d Int)", i)
	}
	quantified := "(" + params + " (y Int) (z Int))"
	state := func() []string {
		s := make([]string, vars)
		for i := range vars {
			s[i] = fmt.Sprintf("x%d", i)
		}
		return s
	}
	value := func() string {
		return []string{fmt.Sprint(number("constant", 2)), fmt.Sprintf("(+ x%d 1)", number("of", vars-1)), fmt.Sprintf("x%d", number("copy", vars-1)), "z"}[number("value", 3)]
	}
	guard := func() string {
		return fmt.Sprintf("(%s x%d %s)", []string{"=", "<=", ">", "distinct"}[number("test", 3)], number("tested", vars-1), value())
	}
	var b strings.Builder
	for i := range points + 1 {
		fmt.Fprintf(&b, "(declare-fun at%d (%s) Bool)\n", i, strings.Repeat(" Int", vars))
	}
	b.WriteString("(declare-fun call (Int Int) Bool)\n(assert (forall ((y Int)) (call y (+ y 1))))\n(assert (forall ((y Int)) (call y y)))\n")
	fmt.Fprintf(&b, "(assert (forall %s (=> (and %s (= y 0) (= z 0)) (at0 %s))))\n", quantified,
		fmt.Sprintf("(= x0 0) (= x1 %d)", number("start", 1)), strings.Join(state(), " "))
	for i := range points {
		for range 1 + number("ways", 1) {
			next := state()
			for range number("assignments", 3) {
				next[number("to", vars-1)] = value()
			}
			call := "true"
			if number("calls", 2) == 0 {
				call = fmt.Sprintf("(call x%d y)", number("argument", vars-1))
				next[number("result", vars-1)] = "y"
			}
			to := i + 1
			if number("back", 5) == 0 {
				to = i
			}
			fmt.Fprintf(&b, "(assert (forall %s (=> (and (at%d %s) %s %s) (at%d %s))))\n",
				quantified, i, strings.Join(state(), " "), call, guard(), to, strings.Join(next, " "))
		}
	}
	fmt.Fprintf(&b, "(assert (forall %s (=> (and (at%d %s) %s %s) false)))\n", quantified, points, strings.Join(state(), " "), guard(), guard())
	return read(t, b.String())
}
