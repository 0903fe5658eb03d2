package portfolio

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"

	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
)

// Table is strategies as data; strategies.yml is the one that is used where a request has none, and says what the fields mean.
type Table struct {
	Turn       time.Duration `yaml:"turn"`
	Strategies []Entry       `yaml:"strategies"`
}

// Entry is a strategy of a table.
type Entry struct {
	Name    string        `yaml:"name"`
	When    []string      `yaml:"when"`
	Start   time.Duration `yaml:"start"`
	Turn    time.Duration `yaml:"turn"`
	First   time.Duration `yaml:"first-turn"`
	Alone   Alone         `yaml:"alone"`
	Ahead   Alone         `yaml:"ahead"`
	Share   Share         `yaml:"share"`
	Passes  string        `yaml:"passes"`
	Changes string        `yaml:"changes"`
	Engines []Member      `yaml:"engines"`
}

// Alone says for how long the first strategy works beside the others, or another one before the first, and of which clauses that holds.
type Alone struct {
	For  time.Duration `yaml:"for"`
	When []string      `yaml:"when"`
}

// Share is what a strategy has beside those that take turns, and of which clauses that holds.
type Share struct {
	Of   float64  `yaml:"of"`
	When []string `yaml:"when"`
}

// Member is an engine of a strategy.
type Member struct {
	Engine     string         `yaml:"engine"`
	When       []string       `yaml:"when"`
	After      time.Duration  `yaml:"after"`
	Background bool           `yaml:"background"`
	First      time.Duration  `yaml:"first"`
	Limit      time.Duration  `yaml:"limit"`
	Options    map[string]any `yaml:"options"`
}

//go:embed strategies.yml
var strategiesText []byte

// defaultTable is the table of strategies.yml.
var defaultTable = sync.OnceValue(func() *Table {
	t, err := ParseTable("strategies.yml", strategiesText)
	if err != nil {
		panic(err)
	}
	return t
})

// DefaultStrategies is the text of strategies.yml.
func DefaultStrategies() []byte { return bytes.Clone(strategiesText) }

// ParseTable reads a table of strategies. The error says where and what is wrong: a field, pass, engine, setting or condition that
// is not known, or a strategy without a name or an engine.
func ParseTable(file string, text []byte) (*Table, error) {
	t := &Table{}
	if err := yaml.UnmarshalWithOptions(text, t, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(t.Strategies) == 0 || t.Turn <= 0 {
		return nil, fmt.Errorf("%s: give a turn and at least one strategy", file)
	}
	for _, e := range t.Strategies {
		if err := e.validate(); err != nil {
			return nil, fmt.Errorf("%s: strategy %q: %w", file, e.Name, err)
		}
	}
	return t, nil
}

func (e Entry) validate() error {
	if e.Name == "" || len(e.Engines) == 0 {
		return errors.New("give a name and at least one engine")
	}
	if e.Share.Of < 0 {
		return errors.New("a share is more than 0")
	}
	named, err := passesNamed(e.Passes)
	if err != nil {
		return err
	}
	for _, pass := range e.changes() {
		if !slices.ContainsFunc(named, func(p transform.Pass) bool { return p.Name == pass }) {
			return fmt.Errorf("%q, which is to change the clauses, is none of its passes", pass)
		}
	}
	if err := validConditions(slices.Concat(e.When, e.Alone.When, e.Ahead.When, e.Share.When)); err != nil {
		return err
	}
	for _, m := range e.Engines {
		if err := validConditions(m.When); err != nil {
			return err
		}
		engine, err := findEngine(m.Engine)
		if err != nil {
			return err
		}
		for name, value := range m.Options {
			i := slices.IndexFunc(engine.Options, func(o option) bool { return o.Name == name })
			if i < 0 {
				return fmt.Errorf("engine %s has no setting %q", m.Engine, name)
			}
			if err := engine.Options[i].Validate(fmt.Sprint(value)); err != nil {
				return err
			}
		}
	}
	return nil
}

type option = engine.Option

// passesNamed returns the passes of a list: default, none, light, or as passes.Select reads it.
func passesNamed(list string) ([]transform.Pass, error) {
	switch list {
	case "none", "":
		return nil, nil
	case "light":
		return passes.Select(lightPasses)
	}
	return passes.Select(list)
}

// changes are the passes that are to change the clauses.
func (e Entry) changes() []string {
	if e.Changes == "" {
		return nil
	}
	return strings.Split(e.Changes, ",")
}

// strategy is the entry as it is run. The entry is valid.
func (e Entry) strategy() strategy {
	passes, _ := passesNamed(e.Passes)
	s := strategy{name: e.Name, passes: passes, changes: e.changes(), start: e.Start, slice: e.Turn, first: e.First}
	for _, m := range e.Engines {
		found, _ := findEngine(m.Engine)
		run := member{engine: found, after: m.After, background: m.Background, first: m.First, limit: m.Limit}
		if len(m.When) > 0 {
			run.engine.Fragment = fragments(m.When)
		}
		for name, value := range m.Options {
			if run.options == nil {
				run.options = map[string]string{}
			}
			run.options[name] = fmt.Sprint(value)
		}
		s.members = append(s.members, run)
	}
	return s
}

// schedule returns the strategies of the table that fit a request.
func (t *Table) schedule(req Request) schedule {
	holds := conditionsOf(req)
	first := t.Strategies[0]
	out := schedule{main: first.strategy(), slice: t.Turn}
	if holds.all(first.Alone.When) {
		out.main.alone = first.Alone.For
	}
	for _, e := range t.Strategies[1:] {
		if !holds.all(e.When) {
			continue
		}
		s := e.strategy()
		if holds.all(e.Share.When) {
			s.share = e.Share.Of
		}
		if e.Ahead.For > 0 && holds.all(e.Ahead.When) {
			s.start, out.main.start = 0, max(out.main.start, e.Ahead.For)
		}
		out.others = append(out.others, s)
	}
	return out
}
