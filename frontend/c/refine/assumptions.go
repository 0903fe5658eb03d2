package refine

import (
	"cmp"
	"context"
	"slices"

	"hornbeam/chc/ledger"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Assumptions returns what a verdict on a program assumes: a proof what the translation does, a bug what the run that reaches the
// error was given that the program leaves open.
func (e *Evidence) Assumptions(ctx context.Context, p *tree.Program, o Options, proof bool) []ledger.Entry {
	var l ledger.Ledger
	if proof {
		for _, a := range e.Translation.Assumptions.Safe() {
			if !e.AllRuns || !slices.Contains(seenByRuns, a.Kind) {
				l.Add(a)
			}
		}
		if e.AllRuns {
			e.overflowOfRun(ctx, p, o, &l)
		}
		if o.Unbounded {
			l.Add(ledger.Entry{Kind: ledger.SignedOverflow, What: "signed integers are unbounded"})
		}
	} else {
		e.ofRun(ctx, p, o, &l)
	}
	unsequenced(p, &l)
	return l.Safe()
}

// seenByRuns is what a proof assumes and a run shows: one that does otherwise ends as undefined.
var seenByRuns = []ledger.Kind{ledger.Accesses, ledger.Division, ledger.Shift}

// ofRun lists what the run that reaches the error assumes.
func (e *Evidence) ofRun(ctx context.Context, p *tree.Program, o Options, l *ledger.Ledger) {
	if o.Translate.Entry != "" && o.Translate.Entry != "main" {
		l.Add(translate.BeginsWith(o.Translate.Entry, p.Anywhere))
	}
	for _, a := range translate.Annotations(p) {
		l.Add(a)
	}
	e.overflowOfRun(ctx, p, o, l)
	if e.Outcome.Addresses {
		l.Add(ledger.Entry{Kind: ledger.Addresses, What: "addresses that become numbers are those that Hornbeam gives to objects"})
	}
	var sites []interpret.Site
	for s := range e.Script.Queues {
		sites = append(sites, s)
	}
	slices.SortFunc(sites, func(a, b interpret.Site) int {
		return cmp.Or(cmp.Compare(a.Asked, b.Asked), compareNodes(a.Node, b.Node), compareObjects(a.Object, b.Object))
	})
	for _, s := range sites {
		if a, ok := assumptionOf(s); ok {
			l.Add(a)
		}
	}
}

// overflowOfRun adds the place of the first signed overflow of the run, if there is one.
func (e *Evidence) overflowOfRun(ctx context.Context, p *tree.Program, o Options, l *ledger.Ledger) {
	if overflow, overflows := e.Overflow(ctx, p, o); overflows {
		l.Add(ledger.Entry{Kind: ledger.SignedOverflow, What: "a signed operation that overflows wraps around, though C leaves undefined what happens then", Names: []string{overflow.Pos().String() + ": " + overflow.What}})
	}
}

// assumptionOf is what a run assumes that was given values for a site.
func assumptionOf(s interpret.Site) (ledger.Entry, bool) {
	place := func() []string {
		if s.Node == nil {
			return nil
		}
		return []string{s.Node.Pos().String()}
	}
	switch s.Asked {
	case interpret.Result:
		name := "behind a pointer"
		if call, ok := s.Node.(*tree.Call); ok && call.Function != nil {
			name = call.Function.Name
		}
		return ledger.Entry{Kind: ledger.Undefined, What: "undefined functions return the values that the run shows", Names: []string{name}}, true
	case interpret.Uninitialised:
		if s.Object != nil && s.Object.Name != "" {
			return ledger.Entry{Kind: ledger.Uninitialised, What: "what is read before it is written has the value that the run shows", Names: []string{s.Object.Name}}, true
		}
		return ledger.Entry{Kind: ledger.Uninitialised, What: "what is read before it is written has the value that the run shows", Names: place()}, true
	case interpret.External, interpret.Contents:
		if s.Object != nil && s.Object.Invented() {
			return ledger.Entry{}, false // a value that a condition is about, which is nothing of the program's
		}
		e := ledger.Entry{Kind: ledger.Outside, What: "objects that the program does not define begin with the values that the run shows"}
		if s.Object != nil && s.Object.Name != "" {
			e.Names = []string{s.Object.Name}
		}
		return e, true
	case interpret.Assembly:
		return ledger.Entry{Kind: ledger.Assembly, What: "asm statements write the values that the run shows", Names: place()}, true
	case interpret.Written:
		return ledger.Entry{Kind: ledger.Input, What: "functions of the library that read input write the values that the run shows"}, true
	}
	return ledger.Entry{}, false
}

// unsequenced lists the places at which C leaves open what happens first: there operands are evaluated from left to right.
func unsequenced(p *tree.Program, l *ledger.Ledger) {
	for _, f := range p.Functions {
		if f.Body == nil {
			continue
		}
		for _, c := range tree.Unsequenced(f.Body) {
			l.Add(ledger.Entry{Kind: ledger.Order, What: "operands are evaluated from left to right where C leaves the order open", Names: []string{c.Pos.String() + " (" + c.Object.Name + ")"}})
		}
	}
}

func compareNodes(a, b tree.Node) int {
	var x, y tree.Pos
	if a != nil {
		x = a.Pos()
	}
	if b != nil {
		y = b.Pos()
	}
	return cmp.Or(cmp.Compare(x.File, y.File), x.Compare(y))
}

func compareObjects(a, b *tree.Object) int {
	var x, y string
	if a != nil {
		x = a.Name
	}
	if b != nil {
		y = b.Name
	}
	return cmp.Compare(x, y)
}
