package usage

// Group is a heading of a command's page with the names of the flags under it.
type Group struct {
	Title string
	Names []string
}

// Groups are the flags on the pages of commands that decide files. What is in none of them is rare, and only hornbeam help options
// has it.
var Groups = []Group{
	{"What is asked", []string{"property", "main", "error", "all", "bound", "modular", "32", "int", "lang", "preset"}},
	{"How it is shown", []string{"model", "proof", "annotate", "trace", "trace-file", "full", "witness", "harness", "harness-run", "sarif", "json", "stats", "progress"}},
	{"Limits", []string{"timeout", "memory"}},
	{"Engines", []string{"engine", "strategies", "seed", "option"}},
}

// Sections are the headings of the program's page, in order, under which commands are by their categories.
const (
	Decide  = "Decide"
	Inspect = "Look into it"
	Measure = "Measure"
	Learn   = "Learn"
)

var sections = []string{Decide, Inspect, Measure, Learn}
