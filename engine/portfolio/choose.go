package portfolio

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
	"hornbeam/engine/houdini"
)

// choose returns the schedule that a request asks for: by its engines, its passes and, where it leaves the choice, the
// shape of its system.
func choose(req Request) (schedule, error) {
	table := req.Strategies
	if table == nil {
		table = defaultTable()
	}
	if req.Engine == "" || req.Engine == Auto {
		if req.Passes == nil {
			return table.schedule(req), nil
		}
		passes, err := selectPasses(Auto, nil, req.Passes)
		main := table.Strategies[0].strategy()
		main.passes = passes
		return schedule{main: main}, err
	}
	names := strings.Split(req.Engine, ",")
	c, err := chosen(names, req.Passes, table.Turn)
	if err == nil && len(req.Candidates) > 0 && req.Passes == nil && slices.Contains(names, "houdini") {
		// The candidates are about the system as it is.
		c.others = append(c.others, single("candidates", houdini.Engine(), nil))
	}
	return c, err
}

// chosen is the schedule of engines that are named, which take turns of a length. Those with the same preprocessing share a strategy.
func chosen(names, words []string, turn time.Duration) (schedule, error) {
	var strategies []strategy
	var preprocessing []string
	for i, name := range names {
		e, err := findEngine(name)
		if err != nil {
			return schedule{}, err
		}
		if slices.Contains(names[:i], name) {
			return schedule{}, fmt.Errorf("engine %q is named twice", name)
		}
		passes, err := selectPasses(name, names, words)
		if err != nil {
			return schedule{}, err
		}
		if at := slices.Index(preprocessing, namesOf(passes)); at >= 0 {
			strategies[at].members = append(strategies[at].members, member{engine: e})
			continue
		}
		preprocessing = append(preprocessing, namesOf(passes))
		strategies = append(strategies, single(name, e, passes))
	}
	return schedule{main: strategies[0], others: strategies[1:], slice: turn}, nil
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

func selectPasses(engine string, names, words []string) ([]transform.Pass, error) {
	switch {
	case words == nil:
		return passesFor(engine, names)
	case len(words) == 0:
		return nil, nil
	}
	return passes.Select(strings.Join(words, ","))
}

// setBlocks gives every strategy's passes a block operator.
func (c *schedule) setBlocks(blocks string) (err error) {
	if c.main.passes, err = passes.WithBlocks(c.main.passes, blocks); err != nil {
		return err
	}
	c.others = slices.Clone(c.others)
	for i, s := range c.others {
		if c.others[i].passes, err = passes.WithBlocks(s.passes, blocks); err != nil {
			return err
		}
	}
	return nil
}
