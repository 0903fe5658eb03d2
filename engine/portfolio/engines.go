package portfolio

import (
	"slices"

	"hornbeam/engine"
	"hornbeam/engine/abstraction"
	"hornbeam/engine/affine"
	"hornbeam/engine/houdini"
	"hornbeam/engine/inline"
	"hornbeam/engine/narrow"
	"hornbeam/engine/unfold"
	"hornbeam/engine/walk"
	"hornbeam/spacer"
)

// DefaultEngine is what is run when no engine is named.
const DefaultEngine = Auto

// Engines returns every engine, the portfolio's first strategy first.
func Engines() []engine.Engine {
	return []engine.Engine{
		spacer.Engine(),
		spacer.GPDR(),
		catamorphismEngine(),
		indicesEngine(),
		inline.Engine(),
		inline.BMC(),
		inline.KInduction(),
		abstraction.Impact(),
		abstraction.Predicates(),
		houdini.Engine(),
		affine.Engine(),
		unfold.Engine(),
		unfold.Unwind(),
		narrow.Engine(),
		walk.Engine(),
	}
}

// Settings is the table of all engines' own settings, each once.
func Settings() []engine.Option {
	var all []engine.Option
	seen := map[string]bool{}
	for _, e := range Engines() {
		for _, o := range e.Options {
			if !seen[o.Name] {
				seen[o.Name] = true
				all = append(all, o)
			}
		}
	}
	return all
}

// Setting returns the setting of that name, and whether an engine has it.
func Setting(name string) (engine.Option, bool) {
	all := Settings()
	i := slices.IndexFunc(all, func(o engine.Option) bool { return o.Name == name })
	if i < 0 {
		return engine.Option{}, false
	}
	return all[i], true
}
