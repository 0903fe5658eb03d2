package smtlib

// The limits of a script. What exceeds one of them is unsupported, bar maxCases.
const (
	// maxClauses bounds the clauses of one formula, which can be exponentially many.
	maxClauses = 100000
	// maxCases bounds the cases into which the disjunctions of one body are split: beyond it a disjunction gets a predicate of
	// its own.
	maxCases = 64
	// maxFormulaDepth bounds the nesting of connectives above predicates, which are walked recursively.
	maxFormulaDepth = 100000
	// maxInstances bounds the instances that one application of a datatype with parameters needs: datatypes that nest
	// themselves, such as those of balanced trees, need infinitely many.
	maxInstances = 200
	// maxSortText bounds the text of an instance's sort, which doubles with each pair of pairs.
	maxSortText = 10000
	// maxSortDepth bounds the nesting of sorts, which are read recursively.
	maxSortDepth = 200
	// maxSortParts bounds the sorts that an array sort is made of when it is written out, and the definitions that one sort
	// applies: sorts share their parts, so that both can be exponentially larger than the source.
	maxSortParts = 10_000
	// maxWidth bounds the width of bit-vectors.
	maxWidth = 1 << 16
	// maxQuoted is how many bytes of the source a message quotes.
	maxQuoted = 40
	// maxScopes bounds the scopes that one command opens.
	maxScopes = 10_000
)
