package trace

import "time"

// The limits of a replay. Beyond them a refutation is undetermined; maxRecorded only shortens the trace.
const (
	// maxAnswers is how many choices a run may make: the steps of a refutation may be used many times, so that the run can be
	// exponentially longer.
	maxAnswers = 5_000_000
	// maxRepairs bounds the runs that are started again with repaired maps.
	maxRepairs = 1000
	// confirmTime bounds the time of the solver for a run that depends on quantifiers.
	confirmTime = 5 * time.Second
	// maxExpansions bounds the functions in functions that a condition expands for the solver.
	maxExpansions = 50
	// maxRecorded is how many events are kept from the beginning and from the end of a run.
	maxRecorded = 20_000
)
