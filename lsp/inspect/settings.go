package inspect

import (
	"time"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// Settings say how files are inspected. Table has their defaults and what each does.
type Settings struct {
	// Timeout bounds each verdict, Memory the process.
	Timeout time.Duration
	Memory  uint64
	// Debounce is how long a text rests before it is read.
	Debounce time.Duration
	Engine   string
	Seed     uint64
	Simplify time.Duration
	// Hints asks for what proofs found, in the lines.
	Hints bool
	// Program are the options of programs.
	Program verify.Options
	// Engines are the engines' settings.
	Engines map[string]string

	seed int
}

// NewSettings returns the settings with some of them set by name. The error is that of the first value that its option does not allow.
// Names that Table does not have are passed over.
func NewSettings(set, engines map[string]string) (Settings, error) {
	s := Settings{Engines: engines}
	err := engine.Bind(s.Table(), set)
	s.Seed = uint64(s.seed)
	return s, err
}

// Table is the settings' options with their names, defaults and fields.
func (s *Settings) Table() []engine.Option {
	return append(engine.Table(
		engine.Option{Name: "timeout", Field: &s.Timeout, Default: "20s", Doc: "wall time for each verdict, of a procedure that runs begin with, a C program or a check of Horn clauses; 0 is no limit"},
		engine.Option{Name: "memory", Field: &s.Memory, Default: "0", Doc: "resident memory of the process at which a verdict is given up, such as 4G; 0 is no limit"},
		engine.Option{Name: "debounce", Field: &s.Debounce, Default: "300ms", Doc: "how long a text rests after an edit before it is read"},
		engine.Option{Name: "hints", Field: &s.Hints, Default: "true", Doc: "show in the lines what proofs found"},
		engine.Option{Name: "engine", Field: &s.Engine, Default: portfolio.DefaultEngine, Doc: "who decides, as for solve"},
		engine.Option{Name: "seed", Field: &s.seed, Default: "0", Doc: "seed of the solver's random choices"},
		engine.Option{Name: "simplify", Field: &s.Simplify, Default: "2s", Doc: "the most time that goes into making a model smaller; 0 leaves it as it was found"},
	), s.Program.Table()...)
}

// solver says how clauses are decided.
func (s Settings) solver() portfolio.Request {
	return portfolio.Request{
		Engine: s.Engine, Seed: s.Seed, Check: true, Open: z3.Open, Options: s.Engines, Simplify: s.Simplify, Stats: engine.NewStats(),
	}
}
