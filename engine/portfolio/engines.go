package portfolio

import (
	"time"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/engine"
	"hornbeam/engine/houdini"
	"hornbeam/engine/inline"
	"hornbeam/spacer"
)

// DefaultEngine is what is run when no engine is named.
const DefaultEngine = Auto

// Engines returns every engine, the portfolio's first lane first.
func Engines() []engine.Engine {
	return []engine.Engine{
		spacer.Engine(),
		spacer.GPDR(),
		catamorphismEngine(),
		inline.Engine(),
		inline.BMC(),
		houdini.Engine(),
	}
}

// courseFor returns the lanes of the portfolio for a system. The prover on the source's own theories decides most of what
// it decides at all within the head start that it gets.
func courseFor(sys *chc.System) course {
	c := course{
		main:  lane{"spacer", spacer.Engine(), transform.Default()},
		after: 200 * time.Millisecond, slice: 2 * time.Second,
	}
	found := theoriesOf(sys)
	if found.arrays {
		for _, pass := range []string{"cells", "cells-apart", "cell-pairs"} {
			c.others = append(c.others, lane{pass, spacer.Engine(), selected("default," + pass)})
		}
	}
	if found.recursive {
		c.others = append(c.others, lane{"catamorphism", catamorphismEngine(), selected(lightPasses)})
	}
	if found.bitVectors {
		c.others = append(c.others, lane{"int-blast", spacer.Engine(), selected("default,int-blast")})
	}
	if !sys.Linear() && !found.recursive {
		// Its derivations go other ways than reach facts do: of the development tasks over integers that the prover left
		// open it decides three, each within four seconds.
		if len(c.others) == 0 {
			c.after = 3 * time.Second
		}
		c.others = append(c.others, lane{"gpdr", spacer.GPDR(), transform.Default()})
	}
	return c
}

// selected returns the passes of a list that is known to be well-formed.
func selected(names string) []transform.Pass {
	passes, err := transform.Select(names)
	if err != nil {
		panic(err)
	}
	return passes
}
