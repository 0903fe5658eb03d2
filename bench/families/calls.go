package families

import "fmt"

// callTree has a procedure a level, which calls the next one several times in a row. What it returns is one more than
// what one of the calls returns; the results of the others are thrown away. A procedure may return at once, too, so that
// the calls that do not matter are cheap on a run. All calls together are Width^Size; Size of them decide.
var callTree = Family{
	Name:  "call-tree",
	Doc:   "A tree of calls: each level calls the next several times, and only one result counts.",
	Usual: Parameters{Width: 4, Relevant: 1, Seed: 1},
	Grows: "width^depth",
	write: func(s *script, p Parameters) {
		for i := range p.Size + 1 {
			s.declare(level(i), 2)
		}
		fault := s.random.IntN(p.Size)
		for i := range p.Size {
			counts := s.random.IntN(p.Width)
			inputs, outputs := numbered("u", p.Width), numbered("v", p.Width)
			inputs[counts] = "x"
			step := "1"
			if p.Bug && i == fault {
				step = "2"
			}
			body := []string{"(>= x 0)", apply("=", "y", apply("+", outputs[counts], step))}
			for j := range p.Width {
				body = append(body, apply(level(i+1), inputs[j], outputs[j]))
			}
			variables := joined([]string{"x", "y"}, numbered("u", p.Width), outputs)
			variables[2+counts] = "w"
			s.clause(without(variables, "w"), apply(level(i), "x", "y"), body...)
			s.clause([]string{"x", "y"}, apply(level(i), "x", "y"), "(< x 0)", "(= y x)")
		}
		s.clause([]string{"x", "y"}, apply(level(p.Size), "x", "y"), "(= y x)")
		s.clause([]string{"x", "y"}, "false", "(= x 0)", apply(level(0), "x", "y"), fmt.Sprintf("(not (= y %d))", p.Size))
	},
}

func level(i int) string { return fmt.Sprintf("level%d", i) }

// dispatch has routines at each level, one of which works on the counter that is asked about; it passes a request on to
// one of the next level's routines, and so does each of the others, to which the counter means nothing. There are
// Width^Size ways through the routines that don't matter, and one through those that do.
var dispatch = Family{
	Name:  "dispatch",
	Doc:   "Requests passed on from level to level: each level has several routines, one of which changes the counter.",
	Usual: Parameters{Width: 4, Relevant: 1, Seed: 1},
	Grows: "width^depth",
	write: func(s *script, p Parameters) {
		for i := range p.Size + 1 {
			s.declare(level(i), 4)
			for j := range p.Width {
				s.declare(routine(i, j), 2)
			}
		}
		for i := range p.Size {
			threshold := s.random.IntN(100)
			s.clause([]string{"x", "v", "x1", "v1"}, apply(level(i), "x", "v", "x1", "v1"),
				fmt.Sprintf("(< v %d)", threshold), apply(level(i+1), "(+ x 1)", fmt.Sprintf("(- v %d)", 1+s.random.IntN(9)), "x1", "v1"))
			for j := range p.Width {
				s.clause([]string{"x", "v", "x1", "v1"}, apply(level(i), "x", "v", "x1", "v1"),
					fmt.Sprintf("(>= v %d)", threshold+j), "(= x1 x)", apply(routine(i+1, j), "v", "v1"))
				for l := range p.Width {
					s.clause([]string{"v", "v1"}, apply(routine(i, j), "v", "v1"),
						fmt.Sprintf("(> v %d)", s.random.IntN(100)), apply(routine(i+1, l), fmt.Sprintf("(+ v %d)", j+1), "v1"))
				}
			}
		}
		step := "0"
		if p.Bug {
			step = "1"
		}
		s.clause([]string{"x", "v", "x1", "v1"}, apply(level(p.Size), "x", "v", "x1", "v1"), apply("=", "x1", apply("+", "x", step)), "(= v1 v)")
		for j := range p.Width {
			s.clause([]string{"v", "v1"}, apply(routine(p.Size, j), "v", "v1"), "(= v1 v)")
		}
		s.clause([]string{"x", "v", "x1", "v1"}, "false", "(= x 0)", apply(level(0), "x", "v", "x1", "v1"), fmt.Sprintf("(> x1 %d)", p.Size))
	},
}

func routine(i, j int) string { return fmt.Sprintf("routine%d-%d", i, j) }

// without are the names other than one.
func without(names []string, dropped string) []string {
	var kept []string
	for _, n := range names {
		if n != dropped {
			kept = append(kept, n)
		}
	}
	return kept
}
