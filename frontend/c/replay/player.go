package replay

import (
	"math"
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Player answers the questions of a run of C with what a run of its translation chose.
type Player struct {
	source  *origin.Map
	lowered *lower.Lowered
	// origins are those of the encoding.
	origins map[ast.Stmt]ast.Stmt
	// occurrences are the inexact operations by their variables; executed are those that the run executed, by their numbers.
	occurrences map[string]*lower.Occurrence
	executed    map[int]bool
	// chosen are the choices of the translation's run: for each node, or object where there is none, those of one time each.
	chosen map[any][]choice
	memory *contents
	// steps counts what the translation's run did.
	steps int
	// executions counts how often a node was executed in the run of C: a declaration, or a call.
	executions map[tree.Node]int
	// ended counts how often a function ended without a result in the run of C.
	ended map[*tree.Function]int
}

// choice is the values that one execution of a node chose, by the parts of the object that they are of.
type choice []part

type part struct {
	event *origin.Event
	value boogie.Value
}

// has tells whether there is a value for the event's part already: the event is then one of another execution.
func (c choice) has(e *origin.Event) bool {
	return slices.ContainsFunc(c, func(p part) bool {
		return p.event.Kind == e.Kind && p.event.Object == e.Object && p.event.Offset == e.Offset && slices.Equal(p.event.Path, e.Path)
	})
}

// New is ready to observe a run of a lowering. Addresses are vectors of so many bits in it, or integers if that is 0.
func New(source *origin.Map, lowered *lower.Lowered, origins map[ast.Stmt]ast.Stmt, addressBits int) *Player {
	p := &Player{
		source: source, lowered: lowered, origins: origins, occurrences: map[string]*lower.Occurrence{}, executed: map[int]bool{}, chosen: map[any][]choice{},
		memory: newContents(source, addressBits), executions: map[tree.Node]int{}, ended: map[*tree.Function]int{},
	}
	for _, o := range lowered.Occurrences {
		p.occurrences[o.Variable] = o
	}
	return p
}

// Executed are the numbers of the inexact operations that the observed run executed.
func (p *Player) Executed() map[int]bool { return p.executed }

// key is what choices are kept by.
func key(node tree.Node, object *tree.Object) any {
	if node != nil {
		return node
	}
	return object
}

// origin is the dialect's statement that one of the encoding's program comes from.
func (p *Player) origin(s ast.Stmt) ast.Stmt {
	if o := p.origins[s]; o != nil {
		s = o
	}
	return p.lowered.Origin[s]
}

// Observe is told what happens in the translation's run, and keeps what that chose.
func (p *Player) Observe(e boogie.Event) {
	if e.Kind == boogie.Begun {
		// Runs before this one were tried and given up.
		p.executed, p.chosen, p.memory, p.steps = map[int]bool{}, map[any][]choice{}, newContents(p.source, p.memory.addressBits), 0
	}
	p.steps++
	p.memory.observe(e)
	if e.Kind != boogie.Stepped || e.Stmt == nil {
		return
	}
	origin := p.origin(e.Stmt)
	if a, ok := origin.(*ast.Assign); ok && p.source.Allocations[a] != nil {
		p.memory.allocated(p.source.Allocations[a], e.Changes)
	}
	if _, ok := e.Stmt.(*ast.Havoc); !ok {
		return
	}
	for _, c := range e.Changes {
		if o := p.occurrences[c.Variable.Name]; o != nil {
			p.executed[o.ID] = true
		}
	}
	original, ok := origin.(*ast.Havoc)
	if !ok {
		return
	}
	events := p.source.Events[original]
	changed := map[any]bool{}
	for i, v := range original.Variables {
		if i >= len(events) || events[i] == nil {
			continue
		}
		k := key(events[i].Node, events[i].Object)
		if origin := p.source.Variables[v.Decl]; origin != nil && origin.Region != nil {
			if !changed[k] {
				changed[k] = true
				p.memory.havocked(k, events[i])
			}
			continue
		}
		for _, c := range e.Changes {
			if c.Variable.Name == v.Name && len(c.Path) == 0 {
				p.choose(k, part{events[i], c.Value})
			}
		}
	}
}

// choose notes a choice. Those of one execution have different parts.
func (p *Player) choose(k any, made part) {
	all := p.chosen[k]
	if n := len(all); n > 0 && !all[n-1].has(made.event) {
		all[n-1] = append(all[n-1], made)
	} else {
		all = append(all, choice{made})
		if c, ok := k.(*tree.Call); ok && made.event.Fresh {
			p.memory.returned(c, made.value)
		}
	}
	p.chosen[k] = all
}

// A run of C that does many times as much as the translation's is not the same one.
const (
	longest    = 50
	atLeastFor = 100_000
)

// Watch counts the executions of the run of C, and stops it when it goes on for too long.
func (p *Player) Watch(stop func()) func(interpret.Event) {
	left := atLeastFor + longest*p.steps
	return func(e interpret.Event) {
		switch e.Kind {
		case interpret.Declared:
			p.executions[e.Node]++
			p.memory.located(e.Node, p.executions[e.Node]-1, e.Base)
		case interpret.Called:
			p.executions[e.Node]++
		case interpret.Returned:
			if _, pointer := e.Value.Type.(*tree.Pointer); pointer && e.Function.Body == nil {
				p.memory.located(e.Node, p.executions[e.Node]-1, e.Value.Bits())
			}
			if e.Function.Body != nil && e.Value.Type == nil {
				p.ended[e.Function]++
			}
		}
		if left--; left == 0 {
			stop()
		}
	}
}

// Choose answers a question; what the translation did not choose is 0.
func (p *Player) Choose(q interpret.Question) (interpret.Value, error) {
	if v, ok := p.memory.answer(q, p.executions[q.Node]-1); ok {
		return v, nil
	}
	k, n := key(q.Node, q.Object), q.Occurrence
	switch q.Asked {
	case interpret.External, interpret.Argument:
		n = 0 // what is chosen once, whole
	case interpret.Uninitialised, interpret.Result:
		n = max(p.executions[q.Node]-1, 0)
	case interpret.Unspecified:
		if _, ok := q.Node.(*tree.Call); ok {
			n = max(p.executions[q.Node]-1, 0)
			if q.Function != nil && q.Function.Body != nil {
				k, n = q.Function.Body, max(p.ended[q.Function]-1, 0)
			}
		}
	}
	choices := p.chosen[k]
	if n >= len(choices) {
		return interpret.Int(0), nil
	}
	for _, part := range choices[n] {
		if v, ok := p.value(part, q); ok {
			if _, pointer := q.Type.(*tree.Pointer); pointer && !v.Fresh {
				v, _ = p.memory.scalar(part.value, q.Type)
			}
			return v, nil
		}
	}
	return interpret.Int(0), nil
}

// dimension is an array on the way to a scalar: how far apart its elements are, and how many there are.
type dimension struct{ stride, length int64 }

// value is the part's value where it is what the question asks for.
func (pl *Player) value(p part, q interpret.Question) (interpret.Value, bool) {
	offset, v := p.event.Offset, p.value
	m, isMap := v.(*boogie.Map)
	var t tree.Type
	if p.event.Object != nil {
		t = p.event.Object.Type
	}
	var indices []dimension
	for _, s := range p.event.Path {
		a, array := t.(*tree.Array)
		switch {
		case s.Field != nil:
			offset += s.Field.Offset
			t = s.Field.Type
		case array && isMap:
			indices = append(indices, dimension{a.Elem.Size(), a.Len})
			t = a.Elem
		case array:
			offset += s.Index * a.Elem.Size()
			t = a.Elem
		}
	}
	if isMap {
		for a, ok := t.(*tree.Array); ok; a, ok = t.(*tree.Array) {
			indices = append(indices, dimension{a.Elem.Size(), a.Len})
			t = a.Elem
		}
		// The map is indexed by the number of the element in the flattened array.
		number, left := int64(0), q.Offset-offset
		for _, d := range indices {
			if left < 0 || d.stride <= 0 {
				return interpret.Value{}, false
			}
			i := left / d.stride
			if d.length >= 0 && i >= d.length {
				return interpret.Value{}, false
			}
			number, left = number*max(d.length, 0)+i, left%d.stride
		}
		x, err := m.Select(pl.memory.index(number))
		if err != nil {
			return interpret.Value{}, false
		}
		v, offset = x, q.Offset-left
	}
	if n := number(v); n != nil && p.event.Fresh && n.Sign() != 0 {
		return interpret.Fresh(), true
	}
	if p.event.Object == nil && len(p.event.Path) == 0 || t == nil || offset == q.Offset {
		return scalar(v, q.Type)
	}
	return within(v, t, q.Offset-offset, q.Type)
}

// within is what is some bytes behind the beginning of a scalar: objects that are copied are asked for byte by byte.
func within(v boogie.Value, t tree.Type, bytes int64, asked tree.Type) (interpret.Value, bool) {
	n := number(v)
	if n == nil || bytes < 0 || bytes+asked.Size() > t.Size() {
		return interpret.Value{}, false
	}
	ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*asked.Size())), big.NewInt(1))
	if format, ok := translate.FormatOf(t); ok {
		if t.Size() > 8 {
			return interpret.Value{}, false
		}
		n = format.Bits(format.Word.Wrap(n))
	}
	part := ones.And(ones, new(big.Int).Rsh(n, uint(8*bytes)))
	if format, ok := translate.FormatOf(asked); ok {
		part = format.Ordinal(part)
	}
	return scalar(boogie.Int{N: part}, asked)
}

// floating is a floating number as an answer. Of a long double it is the nearest double.
func floating(v boogie.Value, t tree.Type) (interpret.Value, bool) {
	format, ok := translate.FormatOf(t)
	n := number(v)
	if !ok || n == nil {
		return interpret.Value{}, false
	}
	n = format.Word.Wrap(n)
	if format.IsNaN(n) && t.Size() > 8 {
		return interpret.Real(math.NaN()), true
	}
	double, _ := machine.FormatOf(machine.Type{Bits: 64, Signed: true})
	switch {
	case format.IsNaN(n) && format.Word.Bits == 32:
		return interpret.Real(float64(math.Float32frombits(uint32(format.Bits(n).Uint64())))), true
	case format.Word != double.Word:
		n = machine.Operation{Op: machine.FloatConvert, Type: format.Word, To: double.Word}.Compute(n)
	}
	return interpret.Real(math.Float64frombits(double.Bits(n).Uint64())), true
}

// scalar is a number as an answer. A floating one comes by its ordinal.
func scalar(v boogie.Value, t tree.Type) (interpret.Value, bool) {
	if _, ok := t.(*tree.Float); ok {
		return floating(v, t)
	}
	switch v := v.(type) {
	case boogie.Int:
		if i, ok := t.(*tree.Integer); ok {
			// Memory may hold the other one of the signed and the unsigned type.
			return interpret.BigInt(i.Wrap(v.N)), true
		}
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
