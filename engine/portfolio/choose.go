package portfolio

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
	"hornbeam/engine/affine"
	"hornbeam/engine/houdini"
	"hornbeam/engine/inline"
	"hornbeam/spacer"
)

// choose returns the course that a request asks for: by its engines, its passes and, where it leaves the choice, the
// shape of its system.
func choose(req Request) (course, error) {
	if req.Engine == "" || req.Engine == Auto {
		if req.Passes == nil {
			c := courseFor(req.System)
			if len(req.Candidates) > 0 {
				// What somebody thought of is looked at before what takes long.
				c.others = slices.Concat([]lane{{name: "candidates", members: []member{
					{engine: houdini.Engine(), options: map[string]string{"houdini.candidates": "100"}},
					{engine: spacer.Engine()},
				}}}, c.others)
				c.after = 200 * time.Millisecond
			}
			return c, nil
		}
		passes, err := selectPasses(Auto, req.Passes)
		return course{main: mainLane(passes)}, err
	}
	names := strings.Split(req.Engine, ",")
	c, err := chosen(names, req.Passes)
	if err == nil && len(req.Candidates) > 0 && req.Passes == nil && slices.Contains(names, "houdini") {
		// The candidates are about the system as it is.
		c.others = append(c.others, alone("candidates", houdini.Engine(), nil))
	}
	return c, err
}

// chosen is the course of engines that are named. Those with the same preprocessing share a lane.
func chosen(names, words []string) (course, error) {
	var lanes []lane
	var preprocessing []string
	for i, name := range names {
		e, err := findEngine(name)
		if err != nil {
			return course{}, err
		}
		if slices.Contains(names[:i], name) {
			return course{}, fmt.Errorf("engine %q is named twice", name)
		}
		passes, err := selectPasses(name, words)
		if err != nil {
			return course{}, err
		}
		if at := slices.Index(preprocessing, namesOf(passes)); at >= 0 {
			lanes[at].members = append(lanes[at].members, member{engine: e})
			continue
		}
		preprocessing = append(preprocessing, namesOf(passes))
		lanes = append(lanes, alone(name, e, passes))
	}
	return course{main: lanes[0], others: lanes[1:], slice: turn}, nil
}

func namesOf(passes []transform.Pass) string {
	names := make([]string, len(passes))
	for i, p := range passes {
		names[i] = p.Name
	}
	return strings.Join(names, ",")
}

func findEngine(name string) (engine.Engine, error) {
	all := Engines()
	if i := slices.IndexFunc(all, func(e engine.Engine) bool { return e.Name == name }); i >= 0 {
		return all[i], nil
	}
	return engine.Engine{}, fmt.Errorf("no engine is called %q", name)
}

func selectPasses(engine string, words []string) ([]transform.Pass, error) {
	switch {
	case words == nil:
		return passesFor(engine)
	case len(words) == 0:
		return nil, nil
	}
	return passes.Select(strings.Join(words, ","))
}

// turn is how long a lane works before it lets another one.
const turn = 2 * time.Second

// headStart is how long inference about cells works before the prover joins it.
const headStart = time.Second

// mainLane has the prover, and beside it what helps it or wins where it is slow.
func mainLane(passes []transform.Pass) lane {
	return lane{name: "main", passes: passes, members: []member{
		{engine: spacer.Engine()},
		{engine: houdini.Engine(), after: 100 * time.Millisecond, background: true, options: map[string]string{"houdini.limit": "10s"}},
		{engine: affine.Engine(), after: 100 * time.Millisecond, options: map[string]string{"affine.degree": "1", "affine.limit": "3s"}},
		{engine: inline.Engine(), after: 200 * time.Millisecond, background: true},
		{engine: finiteEngine(), after: 300 * time.Millisecond, options: map[string]string{"inline.finite": "true"}},
		{engine: affine.Engine(), after: time.Second, background: true, options: map[string]string{"affine.from": "2", "affine.limit": "10s", "affine.check-limit": "300ms"}},
	}}
}

// courseFor returns the lanes of the portfolio for a system. The prover on the source's own theories decides most of what
// it decides at all within the head start that it gets.
func courseFor(sys *chc.System) course {
	c := course{main: mainLane(passes.Default()), after: 200 * time.Millisecond, slice: turn}
	found := theoriesOf(sys)
	if guard.HasOpen(sys) {
		// The main lane lets a quotient by zero and a selector of another constructor yield anything, anywhere. Here nothing
		// depends on them, and here they yield the same everywhere.
		c.others = append(c.others,
			alone("determined", spacer.Engine(), selected("default,determined")),
			alone("functions", spacer.Engine(), selected("default,-selectors,-divisions")))
	}
	if found.arrays {
		for _, pass := range []string{"cells", "cells-apart", "cell-pairs"} {
			l := alone(pass, spacer.Engine(), selected("default,"+pass))
			if pass == "cells" {
				// Loops that fill, copy and compare need facts about segments that inference has soon when it is let, and that
				// the prover starts from where they are not enough.
				l.members[0].after = headStart
				l.members = append(l.members, member{engine: houdini.Engine(), options: map[string]string{"houdini.segments": "4"}})
				l.slice = 2 * turn
			}
			c.others = append(c.others, l)
		}
	}
	if found.recursive {
		c.others = append(c.others, alone("catamorphism", catamorphismEngine(), selected(lightPasses)))
	}
	if found.bitVectors {
		c.others = append(c.others, alone("int-blast", spacer.Engine(), selected("default,int-blast")))
	}
	if !sys.Linear() && !found.recursive {
		// Its derivations go other ways than reach facts do: of the development tasks over integers that the prover left
		// open it decides three, each within four seconds.
		if len(c.others) == 0 {
			c.after = 3 * time.Second
		}
		c.others = append(c.others, alone("gpdr", spacer.GPDR(), passes.Default()))
	}
	return c
}

// selected returns the passes of a list that is known to be well-formed.
func selected(names string) []transform.Pass {
	passes, err := passes.Select(names)
	if err != nil {
		panic(err)
	}
	return passes
}
