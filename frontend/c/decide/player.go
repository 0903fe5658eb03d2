package decide

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// player answers the questions of a run of C with what a run of its translation chose.
type player struct {
	source  *translate.Source
	lowered *bits.Lowered
	// occurrences are the numbers of inexact operations by their variables; executed are those that the run came by.
	occurrences map[string]int
	executed    map[int]bool
	// chosen are the choices of the translation's run: for each node, or object where there is none, those of one time each.
	chosen map[any][]choice
	// steps counts what the translation's run did.
	steps int
	// declared counts how often an object was declared in the run of C.
	declared map[tree.Node]int
}

// choice is the values that one execution of a node chose, by the parts of the object that they are of.
type choice []part

type part struct {
	event *translate.Event
	value boogie.Value
}

func newPlayer(source *translate.Source, lowered *bits.Lowered) *player {
	p := &player{
		source: source, lowered: lowered, occurrences: map[string]int{}, executed: map[int]bool{}, chosen: map[any][]choice{}, declared: map[tree.Node]int{},
	}
	for _, o := range lowered.Occurrences {
		p.occurrences[o.Variable] = o.ID
	}
	return p
}

// key is what choices are kept by.
func key(node tree.Node, object *tree.Object) any {
	if node != nil {
		return node
	}
	return object
}

// observe takes up what the translation's run chose.
func (p *player) observe(e boogie.Event) {
	p.steps++
	if e.Kind != boogie.Stepped || e.Stmt == nil {
		return
	}
	if _, ok := e.Stmt.(*ast.Havoc); !ok {
		return
	}
	for _, c := range e.Changes {
		if id, ok := p.occurrences[c.Variable.Name]; ok {
			p.executed[id] = true
		}
	}
	original, ok := p.lowered.Origin[e.Stmt].(*ast.Havoc)
	if !ok {
		return
	}
	events := p.source.Events[original]
	made := map[any]choice{}
	var order []any
	for i, v := range original.Variables {
		if i >= len(events) || events[i] == nil {
			continue
		}
		for _, c := range e.Changes {
			if c.Variable.Name == v.Name && len(c.Path) == 0 {
				k := key(events[i].Node, events[i].Object)
				if made[k] == nil {
					order = append(order, k)
				}
				made[k] = append(made[k], part{events[i], c.Value})
			}
		}
	}
	for _, k := range order {
		p.chosen[k] = append(p.chosen[k], made[k])
	}
}

// A run of C that does many times as much as the translation's is not the same one.
const (
	longest    = 50
	atLeastFor = 100_000
)

// watch counts the declarations of the run of C, and stops it when it goes on for too long.
func (p *player) watch(stop func()) func(interpret.Event) {
	left := atLeastFor + longest*p.steps
	return func(e interpret.Event) {
		if e.Kind == interpret.Declared {
			p.declared[e.Node]++
		}
		if left--; left == 0 {
			stop()
		}
	}
}

// Choose answers a question; what the translation did not choose is 0.
func (p *player) Choose(q interpret.Question) (interpret.Value, error) {
	k := key(q.Node, q.Object)
	n := q.Occurrence
	if q.Asked == interpret.Uninitialised {
		n = max(p.declared[q.Node]-1, 0)
	}
	choices := p.chosen[k]
	if n >= len(choices) {
		return interpret.Int(0), nil
	}
	for _, part := range choices[n] {
		if v, ok := value(part, q); ok {
			return v, nil
		}
	}
	return interpret.Int(0), nil
}

// value is the part's value where it is what the question asks for.
func value(p part, q interpret.Question) (interpret.Value, bool) {
	offset, v := int64(0), p.value
	var t tree.Type
	if p.event.Object != nil {
		t = p.event.Object.Type
	}
	for _, s := range p.event.Path {
		if s.Field != nil {
			offset += s.Field.Offset
			t = s.Field.Type
		} else if a, ok := t.(*tree.Array); ok {
			offset += s.Index * a.Elem.Size()
			t = a.Elem
		}
	}
	// What is left is a map from the elements' numbers.
	for {
		m, ok := v.(*boogie.Map)
		if !ok {
			break
		}
		a, ok := t.(*tree.Array)
		if !ok || q.Offset < offset {
			return interpret.Value{}, false
		}
		elem := a.Elem
		for {
			inner, ok := elem.(*tree.Array)
			if !ok {
				break
			}
			elem = inner.Elem
		}
		size := max(q.Type.Size(), 1)
		if _, ok := elem.(*tree.Struct); !ok {
			size = max(elem.Size(), 1)
		}
		index := (q.Offset - offset) / size
		x, err := m.Select(boogie.Int{N: big.NewInt(index)})
		if err != nil {
			return interpret.Value{}, false
		}
		v, t, offset = x, elem, q.Offset
	}
	if p.event.Object != nil && offset != q.Offset {
		return interpret.Value{}, false
	}
	if n, ok := v.(boogie.Int); ok && p.event.Fresh && n.N.Sign() != 0 {
		return interpret.Fresh(), true
	}
	return scalar(v, q.Type)
}

// scalar is a number as an answer.
func scalar(v boogie.Value, t tree.Type) (interpret.Value, bool) {
	switch v := v.(type) {
	case boogie.Int:
		return interpret.BigInt(v.N), true
	case boogie.BitVector:
		n := v.N
		if i, ok := t.(*tree.Integer); ok {
			n = machine.Type{Bits: v.Width, Signed: i.Signed}.Wrap(n)
		}
		return interpret.BigInt(n), true
	case boogie.Bool:
		if v {
			return interpret.Int(1), true
		}
		return interpret.Int(0), true
	}
	return interpret.Value{}, false
}
