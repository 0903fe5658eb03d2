package loops

// Limits of Unwind. Programs with larger loops are left to strategies that prove invariants.
const (
	// unwindRounds bounds how deep loops that are expanded are nested in one another or follow one another.
	unwindRounds = 12
	// unwindIterations bounds the iterations of one loop.
	unwindIterations = 256
	// unwindStatements bounds the statements that are added to a program.
	unwindStatements = 20_000
)
