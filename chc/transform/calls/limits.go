package calls

const (
	// maxChanges bounds the components that are treated in one Pipeline.
	maxChanges = 40
	// maxContexts bounds the copies that are made of one component.
	maxContexts = 3
	// maxGrowth bounds the number of clauses, as a multiple of that before the pass.
	maxGrowth = 2
)
