package families

import "fmt"

// loop counts two variables up together, as clauses about a loop head are usually written. Backwards from the query,
// every step has to be gone before the start contradicts it, or does not.
var loop = Family{
	Name:  "loop",
	Doc:   "A loop that counts two variables up together; the fault is where the second one starts.",
	Usual: Parameters{Width: 1, Relevant: 1, Seed: 1},
	Grows: "depth",
	write: func(s *script, p Parameters) {
		s.declare("head", 2)
		start := "0"
		if p.Bug {
			start = "1"
		}
		s.clause([]string{"x", "y"}, "(head x y)", "(= x 0)", apply("=", "y", start))
		s.clause([]string{"x", "y"}, "(head (+ x 1) (+ y 1))", "(head x y)", "(>= x 0)", fmt.Sprintf("(< x %d)", p.Size))
		s.clause([]string{"x", "y"}, "false", "(head x y)", fmt.Sprintf("(= x %d)", p.Size), "(> y x)")
	},
}

// phases are two loops, one after the other: the first counts up what the second counts down. Half of the depth is gone
// in either.
var phases = Family{
	Name:  "phases",
	Doc:   "Two loops, of which the second takes back what the first does; the fault is between them.",
	Usual: Parameters{Width: 1, Relevant: 1, Seed: 1},
	Grows: "depth^2",
	write: func(s *script, p Parameters) {
		s.declare("up", 2)
		s.declare("down", 2)
		first := (p.Size + 1) / 2
		slip := "0"
		if p.Bug {
			slip = "1"
		}
		s.clause([]string{"x", "y"}, "(up x y)", "(= x 0)", "(= y 0)")
		s.clause([]string{"x", "y"}, "(up (+ x 1) (+ y 1))", "(up x y)", "(>= x 0)", fmt.Sprintf("(< x %d)", first))
		s.clause([]string{"x", "y"}, apply("down", "0", apply("+", "y", slip)), "(up x y)", fmt.Sprintf("(= x %d)", first))
		s.clause([]string{"x", "y"}, "(down (+ x 1) (- y 1))", "(down x y)", "(>= x 0)", fmt.Sprintf("(< x %d)", first))
		s.clause([]string{"x", "y"}, "false", "(down x y)", fmt.Sprintf("(= x %d)", first), "(> y 0)")
	},
}

// nested is a loop in a loop in a loop, as procedures that call themselves: the outer one goes round Size times, the
// others Width times in each round of the next outer one, which only the query says. Inlined up to the bound that the
// outer one needs, the others are unrolled as often in every round.
var nested = Family{
	Name:  "nested",
	Doc:   "A loop within a loop within a loop, as procedures; the fault is one step too many after the last round.",
	Usual: Parameters{Width: 1, Relevant: 1, Seed: 1},
	Grows: "depth^3",
	write: func(s *script, p Parameters) {
		s.declare("outer", 4)
		s.declare("middle", 4)
		s.declare("inner", 3)
		slip := "0"
		if p.Bug {
			slip = "1"
		}
		s.clause([]string{"i", "w", "s", "t", "r"}, "(outer i w s r)", fmt.Sprintf("(< i %d)", p.Size), "(middle w w s t)", "(outer (+ i 1) w t r)")
		s.clause([]string{"i", "w", "s"}, apply("outer", "i", "w", "s", apply("+", "s", slip)), fmt.Sprintf("(>= i %d)", p.Size))
		s.clause([]string{"j", "w", "s", "t", "r"}, "(middle j w s r)", "(> j 0)", "(inner w s t)", "(middle (- j 1) w t r)")
		s.clause([]string{"j", "w", "s"}, "(middle j w s s)", "(<= j 0)")
		s.clause([]string{"k", "s", "r"}, "(inner k s r)", "(> k 0)", "(inner (- k 1) (+ s 1) r)")
		s.clause([]string{"k", "s"}, "(inner k s s)", "(<= k 0)")
		s.clause([]string{"w", "r"}, "false", fmt.Sprintf("(= w %d)", p.Width), "(outer 0 w 0 r)", fmt.Sprintf("(> r %d)", p.Size*p.Width*p.Width))
	},
}

// polling is a loop each of whose rounds waits in another loop, for as long as it may take, before it counts. What the
// waiting comes to does not matter, but it has to end; each of its own rounds waits in a third loop. Inlined up to the
// bound that the counting needs, the others are unrolled as often in every round.
var polling = Family{
	Name:  "polling",
	Doc:   "A loop that waits for something in every round, and counts the rounds; the fault is where it starts to count.",
	Usual: Parameters{Width: 1, Relevant: 1, Seed: 1},
	Grows: "depth^3",
	write: func(s *script, p Parameters) {
		s.declare("round", 3)
		s.declare("wait", 2)
		s.declare("spin", 2)
		start := "0"
		if p.Bug {
			start = "1"
		}
		s.clause([]string{"i", "n", "t", "u", "r"}, "(round i n r)", fmt.Sprintf("(< i %d)", p.Size), "(wait t u)", "(round (+ i 1) (+ n 1) r)")
		s.clause([]string{"i", "n"}, "(round i n n)", fmt.Sprintf("(>= i %d)", p.Size))
		s.clause([]string{"t", "u", "p", "q"}, "(wait t u)", "(> t 0)", "(spin p q)", fmt.Sprintf("(wait (- t %d) u)", 1+s.random.IntN(9)))
		s.clause([]string{"t"}, "(wait t t)", "(<= t 0)")
		s.clause([]string{"p", "q"}, "(spin p q)", "(> p 0)", fmt.Sprintf("(spin (- p %d) q)", 1+s.random.IntN(9)))
		s.clause([]string{"p"}, "(spin p p)", "(<= p 0)")
		s.clause([]string{"r"}, "false", apply("round", "0", start, "r"), fmt.Sprintf("(> r %d)", p.Size))
	},
}

// recursion goes down a tree whose first subtree is one level lower and counts; the others are of any lower height, and
// their results do not count. A tree of height 0 ends it.
var recursion = Family{
	Name:  "recursion",
	Doc:   "A recursion over a tree that counts along the first subtree, whatever the others are; the fault is at a leaf.",
	Usual: Parameters{Width: 2, Relevant: 1, Seed: 1},
	Grows: "width^depth",
	write: func(s *script, p Parameters) {
		s.declare("visit", 2)
		variables, body := []string{"x", "r"}, []string{"(> x 0)", "(visit (- x 1) r)"}
		for j := range p.Width - 1 {
			y, t := fmt.Sprintf("y%d", j), fmt.Sprintf("t%d", j)
			variables = append(variables, y, t)
			body = append(body, fmt.Sprintf("(>= %s 0)", y), fmt.Sprintf("(< %s x)", y), apply("visit", y, t))
		}
		s.clause(variables, "(visit x (+ r 1))", body...)
		leaf := "0"
		if p.Bug {
			leaf = "1"
		}
		s.clause([]string{"x", "r"}, "(visit x r)", "(= x 0)", apply("=", "r", leaf))
		s.clause([]string{"r"}, "false", apply("visit", fmt.Sprint(p.Size), "r"), fmt.Sprintf("(> r %d)", p.Size))
	},
}
