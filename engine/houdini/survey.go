package houdini

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// survey is what occurs in the clauses.
type survey struct {
	options *options
	pool    *term.Pool
	// constants are the values of each sort, the most frequent first; for numbers 0, 1 and -1 are before all others.
	constants map[*term.Sort][]*term.Term
	// neighbours are the integers next to a constant that are none themselves.
	neighbours []*term.Term
	// moduli are 2 and the numbers that are divided by or counted up in, in increasing order.
	moduli []term.Num
	// of holds, by predicate ID, what is about one predicate.
	of []predicateSurvey
}

// predicateSurvey is what occurs in the clauses about one predicate's arguments.
type predicateSurvey struct {
	// meets are pairs of arguments that occur in one atom, i < j, in the order of their first occurrence.
	meets [][2]int
	// steps are, by argument, the amounts by which clauses from the predicate to itself change it.
	steps [][]term.Num
	// moves tells, by argument, whether such a clause changes it by no constant.
	moves []bool
	// grows are, by argument, the other arguments that such clauses add to it.
	grows [][]int
	// atoms are formulas of clauses over the canonical parameters.
	atoms []*term.Term
	// knownMeets and knownAtoms are the members of meets and atoms.
	knownMeets map[[2]int]bool
	knownAtoms map[*term.Term]bool
	// equates are those of meets that occur in an equation.
	equates map[[2]int]bool
	// compared are the atoms as they occur, and goals what queries say must hold.
	compared map[*term.Term]bool
	goals    []*term.Term
	// sums are, by argument, those of multiples of other arguments that it is compared with, and shifts the other arguments with a
	// constant that it is equated with.
	sums, shifts [][]term.Linear
	// entries are, by argument, a value that clauses begin with which do not come from the predicate; nil for none.
	entries []*term.Term
	// limits are, by argument, the constants that it is compared with by itself.
	limits [][]term.Num
	// indexFacts are formulas of clauses about arguments at an index of arrays, the most important ones first; see findIndexFacts.
	indexFacts []indexFact
}

func newSurvey(sys *chc.System, o *options) *survey {
	s := &survey{options: o, pool: sys.Pool, constants: map[*term.Sort][]*term.Term{}, of: make([]predicateSurvey, len(sys.Predicates))}
	for _, p := range sys.Predicates {
		s.of[p.ID] = predicateSurvey{steps: make([][]term.Num, p.Arity()), moves: make([]bool, p.Arity()), grows: make([][]int, p.Arity()), knownMeets: map[[2]int]bool{}, equates: map[[2]int]bool{}, knownAtoms: map[*term.Term]bool{}, compared: map[*term.Term]bool{}, sums: make([][]term.Linear, p.Arity()), shifts: make([][]term.Linear, p.Arity()), entries: make([]*term.Term, p.Arity()), limits: make([][]term.Num, p.Arity())}
	}
	s.addConstants(rule.NewVocabulary(sys))
	for _, c := range sys.Clauses {
		for _, v := range s.views(sys, c) {
			s.look(c, v)
		}
		s.findSteps(c)
	}
	s.addSteps()
	s.findIndexFacts(sys)
	return s
}

// addConstants collects values, and divisors as moduli.
func (s *survey) addConstants(v *rule.Vocabulary) {
	s.moduli = append([]term.Num{term.NewInt(2)}, v.Divisors...)
	found := slices.Clone(v.Values)
	slices.SortStableFunc(found, func(a, b *term.Term) int { return v.Count[b] - v.Count[a] })
	for _, number := range []*term.Sort{term.Int, term.Real} {
		for _, n := range []int64{0, 1, -1} {
			s.constants[number] = append(s.constants[number], s.pool.Numeral(term.NewInt(n), number))
		}
	}
	for _, t := range found {
		if !slices.Contains(s.constants[t.Sort()], t) {
			s.constants[t.Sort()] = append(s.constants[t.Sort()], t)
		}
	}
	ints := s.constants[term.Int]
	for _, t := range ints {
		for _, d := range []int64{1, -1} {
			n := s.pool.IntNum(t.Num().Add(term.NewInt(d)))
			if !slices.Contains(ints, n) && !slices.Contains(s.neighbours, n) {
				s.neighbours = append(s.neighbours, n)
			}
		}
	}
}

// findSteps records by which amounts a clause from a predicate to itself changes arguments: those k for which an atom of
// the constraint, or the arguments themselves, say that the argument in the head is the one in the body plus k.
func (s *survey) findSteps(c *chc.Clause) {
	if c.Head == nil {
		return
	}
	for _, a := range c.Body {
		if a.Pred != c.Head.Pred {
			continue
		}
		of := &s.of[a.Pred.ID]
		steps := of.steps
		for i, sort := range a.Pred.Sorts {
			if !sort.IsArith() || a.Args[i] != c.Head.Args[i] && keeps(c, i) {
				continue
			}
			change := s.pool.Linear(c.Head.Args[i]).Sub(s.pool.Linear(a.Args[i]))
			if change.IsConst() {
				addStep(&steps[i], change.Const)
				continue
			}
			of.addGrowth(i, change, a.Args)
			before := len(steps[i])
			for _, change := range s.outcomes(change, nil) {
				if change.IsConst() {
					addStep(&steps[i], change.Const)
				}
			}
			term.Walk(c.Constraint, func(t *term.Term) bool {
				if t.Op() != term.Eq || !t.Arg(0).Sort().IsArith() {
					return t.IsBool() && !t.IsQuantifier()
				}
				for _, equation := range s.outcomes(s.pool.Linear(t.Arg(0)).Sub(s.pool.Linear(t.Arg(1))), nil) {
					for _, sum := range []term.Linear{change.Sub(equation), change.Add(equation)} {
						if sum.IsConst() {
							addStep(&steps[i], sum.Const)
						}
						of.addGrowth(i, sum, a.Args)
					}
				}
				return false
			})
			of.moves[i] = of.moves[i] || len(steps[i]) == before
		}
	}
}

// keeps reports whether a premise of the head's predicate has the head's argument: a premise with another one is about something
// else, as about the value at a second index of an array.
func keeps(c *chc.Clause, i int) bool {
	return slices.ContainsFunc(c.Body, func(a chc.App) bool { return a.Pred == c.Head.Pred && a.Args[i] == c.Head.Args[i] })
}

// outcomes are the sums that one with if-then-else in it may be: a number that wraps around is such a choice.
func (s *survey) outcomes(sum term.Linear, found []term.Linear) []term.Linear {
	i := slices.IndexFunc(sum.Monomials, func(m term.Monomial) bool { return m.Term.Op() == term.Ite })
	if i < 0 || len(found) >= mostOutcomes {
		return append(found, sum)
	}
	m := sum.Monomials[i]
	rest := sum.Without(m.Term)
	for _, value := range []*term.Term{m.Term.Arg(1), m.Term.Arg(2)} {
		found = s.outcomes(rest.AddTerm(m.Coef, value), found)
	}
	return found
}

// addGrowth records that an argument changes by another one, if the change is that.
func (of *predicateSurvey) addGrowth(i int, change term.Linear, args []*term.Term) {
	if !change.Const.IsZero() || len(change.Monomials) != 1 || !change.Monomials[0].Coef.Abs().IsOne() {
		return
	}
	if j := slices.Index(args, change.Monomials[0].Term); j >= 0 && j != i && !slices.Contains(of.grows[i], j) {
		of.grows[i] = append(of.grows[i], j)
	}
}

func addStep(steps *[]term.Num, k term.Num) {
	if !slices.ContainsFunc(*steps, k.Equal) {
		*steps = append(*steps, k)
	}
}

// addSteps makes what arguments are counted up in moduli, and puts these in order.
func (s *survey) addSteps() {
	for _, of := range s.of {
		for _, steps := range of.steps {
			for _, k := range steps {
				s.moduli = append(s.moduli, k.Abs())
			}
		}
	}
	slices.SortFunc(s.moduli, term.Num.Cmp)
	s.moduli = slices.CompactFunc(s.moduli, term.Num.Equal)
	s.moduli = slices.DeleteFunc(s.moduli, func(n term.Num) bool {
		return !n.IsInt() || n.Cmp(term.NewInt(2)) < 0 || n.Cmp(term.NewInt(int64(s.options.largestModulus))) > 0
	})
}
