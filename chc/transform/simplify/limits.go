package simplify

// The limits and thresholds of the heuristics of this package, which keep its work near to linear. None of them is needed for
// soundness.
const (
	// maxAbsorb bounds the size of the conjuncts that absorption looks into.
	maxAbsorb = 2000
	// maxAbsorbWork bounds the subterms that it visits for the conjuncts of one constraint.
	maxAbsorbWork = 200_000
	// maxBoolean bounds the size of the conjuncts that the elimination of one Boolean variable joins.
	maxBoolean = 500
	// maxDisjunction bounds the size of the disjunctions that are looked into. The sizes of all that are, nested ones and
	// repetitions included, are together at most disjunctWork times the size of the constraint, plus disjunctBase.
	maxDisjunction = 2000
	disjunctWork   = 8
	disjunctBase   = 1000
	// maxSimplifyRounds bounds how often the simplifications of one clause are run over it.
	maxSimplifyRounds = 16
	// maxSpread bounds what replacing a variable by a term of more than a few nodes may add to a clause: the number of the
	// variable's occurrences times the size of the term.
	maxSpread = 256
	fewNodes  = 4
	// Guessing is tried on formulas of up to maxGuessSize nodes for up to guessSteps plus their number of conjuncts repairs:
	// less work than opening a solver.
	maxGuessSize = 3000
	guessSteps   = 40
	// Lifting an if-then-else out of arithmetic doubles an atom. It is done while a clause's atoms grow at most iteGrowth
	// times (and by iteSlack, so that small clauses are always lifted), which keeps implicants and projection cheap where the
	// condition matters and leaves huge circuits alone.
	iteGrowth = 3
	iteSlack  = 16
	// maxIteAtom bounds the atoms that one atom may become.
	maxIteAtom = 16
	// maxCombinations bounds the new inequalities when a variable with bounds on both sides is eliminated; there are never more of
	// them than of the inequalities that they replace.
	maxCombinations = 4
	// maxBranches bounds the number of bounds of which a recorded definition takes the maximum; with more of them the value
	// is left to a solver.
	maxBranches = 4
	// maxMerged bounds the size of the constraints that are joined to one.
	maxMerged = 2000
	// maxSubsumers bounds the clauses with which a clause is compared, so that the pass stays near linear.
	maxSubsumers = 64
)
