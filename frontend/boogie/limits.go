package boogie

// The limits of a source. What exceeds one of them is unsupported or an error, never read in part.
const (
	// maxSource is how many bytes a source may have: offsets are 32-bit numbers.
	maxSource = 1 << 30
	// maxFiles is how many files #line may name: a token has a 16-bit number of its file.
	maxFiles = 1000
	// maxNesting is how deeply parentheses, blocks, types and the like may nest: the parser recurs that deeply.
	maxNesting = 5_000
	// maxHeight is how high the tree of an expression may be, chains of operators included: whatever walks trees recurs that
	// deeply.
	maxHeight = 100_000
	// maxWidth is how many bits a bit-vector may have.
	maxWidth = 1 << 20
	// maxExponent is how large the exponent of a decimal number may be, up or down: numbers are exact.
	maxExponent = 10_000
	// maxType is how many parts a type may have when all synonyms are expanded: types share parts, so that they can be
	// exponentially larger than the source.
	maxType = 10_000
	// maxTerm is how deeply the terms of {:smtdefined} may nest.
	maxTerm = 200
	// maxQuoted is how many bytes of the source a message quotes.
	maxQuoted = 60
)
