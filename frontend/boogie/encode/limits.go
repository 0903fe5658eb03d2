package encode

// The limits of an encoding. Beyond them it is refused (maxCodeSteps) or less precise, which the encoding says.
const (
	// maxCodeSteps bounds the statements on all paths through a code expression, whose number can be exponential.
	maxCodeSteps = 2000
	// maxCalls bounds the different lists of calls of the runs to one block: beyond it the block is a cut point, since each
	// list is a clause of its own.
	maxCalls = 64
	// maxDatatypes bounds the datatypes that are declared: a datatype that contains itself at ever larger arguments would
	// need infinitely many.
	maxDatatypes = 200
	// longSum is how many summands an assigned value may have before it gets a name: sums are flattened, so that without a
	// name a sum that grows in many steps would be copied in each.
	longSum = 200
	// instanceRounds is how often the terms of instances of assumptions for all values suggest further instances, and
	// maxInstances how many a clause gets: each makes the clause larger, and instances of instances need not end.
	instanceRounds = 2
	maxInstances   = 200
)
