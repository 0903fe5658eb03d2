package replay

import (
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// contents is what memory behind pointers holds in a run of the translation where nothing was stored: an object that is made
// holds what the maps of its regions had at its address then.
type contents struct {
	source *origin.Map
	// whole are the values of the regions' variables, by their names, as far as they were set as a whole: stores at single
	// addresses are left out, as nothing is stored where an object will be made.
	whole map[string]boogie.Value
	// made are the objects that a declaration or a call made, in turn; changed is what a call set memory to.
	made    map[any][]*object
	changed map[any][]map[string]boogie.Value
	// initial is what memory held when the run began.
	initial map[string]boogie.Value
	// addressBits is how long addresses are that are vectors, 0 if they are integers.
	addressBits int
	// at has the objects of the run of C, by their addresses there.
	at map[uint64]*object
}

// object is an object in memory: what the regions' variables held when it got its address.
type object struct {
	address boogie.Value
	held    map[string]boogie.Value
	// base is the object's address in the run of C, 0 as long as it is not known.
	base uint64
}

func newContents(source *origin.Map, addressBits int) *contents {
	return &contents{
		source: source, addressBits: addressBits, whole: map[string]boogie.Value{}, made: map[any][]*object{}, changed: map[any][]map[string]boogie.Value{},
		at: map[uint64]*object{},
	}
}

// observe keeps up with the variables of regions.
func (c *contents) observe(e boogie.Event) {
	if c.source.Regions == nil {
		return
	}
	for _, change := range e.Changes {
		if len(change.Path) == 0 {
			if o := c.source.Named("", change.Variable.Name); o != nil && o.Region != nil {
				c.whole[change.Variable.Name] = change.Value
			}
		}
	}
	if e.Kind == boogie.Begun {
		c.initial = c.held(nil)
	}
}

// held is what the regions of a group hold now; those of all groups if it is nil.
func (c *contents) held(g *region.Group) map[string]boogie.Value {
	out := map[string]boogie.Value{}
	for r, v := range c.source.Memory {
		if x, ok := c.whole[v.Name]; ok && (g == nil || r.Group == g) {
			out[v.Name] = x
		}
	}
	return out
}

// allocated notes an object that got its address.
func (c *contents) allocated(a *origin.Allocation, changes []boogie.Change) {
	for _, change := range changes {
		if change.Variable.Name == a.Variable.Name {
			c.made[a.Node] = append(c.made[a.Node], &object{address: change.Value, held: c.held(a.Group)})
		}
	}
}

// returned notes an object that a function without a body returned.
func (c *contents) returned(call *tree.Call, address boogie.Value) {
	if g := c.target(call); g != nil {
		c.made[call] = append(c.made[call], &object{address: address, held: c.held(g)})
	}
}

func (c *contents) target(call *tree.Call) *region.Group {
	if c.source.Regions == nil {
		return nil
	}
	return c.source.Regions.Target(call)
}

// havocked notes that a node gave memory any values: a declaration its object, which has its address for good, a call what
// its arguments point to.
func (c *contents) havocked(k any, e *origin.Event) {
	if e.Kind == origin.Declared {
		c.made[k] = append(c.made[k], &object{held: c.held(nil)})
		return
	}
	c.changed[k] = append(c.changed[k], c.held(nil))
}

// located says which execution of a node made the object at an address of the run of C.
func (c *contents) located(node tree.Node, execution int, base uint64) {
	if made := c.made[node]; base != 0 && execution < len(made) {
		c.at[base] = made[execution]
		made[execution].base = base
	}
}

// answer is what memory holds where a question asks for it; execution counts those of the question's node.
func (c *contents) answer(q interpret.Question, execution int) (interpret.Value, bool) {
	if c.source.Regions == nil {
		return interpret.Value{}, false
	}
	switch q.Asked {
	case interpret.External:
		return c.look(q, c.initial, c.static(q.Object), q.Offset)
	case interpret.Uninitialised, interpret.Contents:
		p := c.at[q.Base]
		if made := c.made[q.Node]; p == nil && execution >= 0 && execution < len(made) {
			p = made[execution]
		}
		if p == nil {
			return interpret.Value{}, false
		}
		address := p.address
		if address == nil {
			address = c.static(q.Object)
		}
		return c.look(q, p.held, address, q.Offset)
	case interpret.Written:
		changed := c.changed[q.Node]
		if execution < 0 || execution >= len(changed) {
			return interpret.Value{}, false
		}
		address := c.static(q.Object)
		if p := c.at[q.Base]; p != nil && p.address != nil {
			address = p.address
		}
		return c.look(q, changed[execution], address, q.Offset)
	}
	return interpret.Value{}, false
}

// static is the address of an object that has one for all of a run, nil if it has none.
func (c *contents) static(o *tree.Object) boogie.Value {
	if a, ok := c.source.Addresses[o]; ok && o != nil {
		return c.index(a)
	}
	return nil
}

// index is an address, or an element's number, as the lowering has them.
func (c *contents) index(n int64) boogie.Value {
	if c.addressBits > 0 {
		return boogie.BitVector{N: big.NewInt(n), Width: c.addressBits}
	}
	return boogie.Int{N: big.NewInt(n)}
}

// element is an address as an index of a region's variable.
func (c *contents) element(v *ast.Variable, address boogie.Value) boogie.Value {
	n, ok := address.(boogie.Int)
	if size := c.source.Elements[v.Name]; ok && size > 0 {
		return boogie.Int{N: new(big.Int).Div(n.N, big.NewInt(size))}
	}
	return address
}

// look is the scalar that a question asks for, at an offset from an address.
func (c *contents) look(q interpret.Question, held map[string]boogie.Value, address boogie.Value, offset int64) (interpret.Value, bool) {
	r, inside := c.region(q, offset)
	if r == nil || address == nil || c.source.Memory[r] == nil {
		return interpret.Value{}, false
	}
	variable := c.source.Memory[r]
	if t := c.source.Variables[variable].Type; t != nil && inside > 0 {
		x, isMap := held[variable.Name].(*boogie.Map)
		if !isMap {
			return within(held[variable.Name], t, inside, q.Type)
		}
		v, err := x.Select(c.element(variable, offsetBy(address, offset-inside)))
		if err != nil {
			return interpret.Value{}, false
		}
		return within(v, t, inside, q.Type)
	}
	whole, ok := held[variable.Name]
	if !ok {
		return interpret.Value{}, false
	}
	m, isMap := whole.(*boogie.Map)
	if !isMap {
		return c.scalar(whole, q.Type)
	}
	if c.source.Variables[variable].Type != nil {
		x, err := m.Select(c.element(variable, offsetBy(address, offset)))
		if err != nil {
			return interpret.Value{}, false
		}
		return c.scalar(x, q.Type)
	}
	// The region holds bytes, the lowest one first.
	n := new(big.Int)
	for i := q.Type.Size() - 1; i >= 0; i-- {
		x, err := m.Select(offsetBy(address, offset+i))
		if err != nil {
			return interpret.Value{}, false
		}
		b := number(x)
		if b == nil {
			return interpret.Value{}, false
		}
		n.Or(n.Lsh(n, 8), new(big.Int).And(b, big.NewInt(255)))
	}
	if format, ok := translate.FormatOf(q.Type); ok {
		if format.Word.Bits > 64 {
			return interpret.Value{}, false
		}
		n = format.Ordinal(n)
	}
	return c.scalar(boogie.Int{N: n}, q.Type)
}

// region is the region of what is at an offset of what a question asks for, and by how many bytes that is inside the scalar
// that the region holds.
func (c *contents) region(q interpret.Question, offset int64) (*region.Region, int64) {
	call, isCall := q.Node.(*tree.Call)
	for inside := range int64(16) {
		l := &region.Location{Object: q.Object, Offset: offset - inside}
		if q.Object == nil && isCall {
			l.Pointer = call
		}
		r := c.source.Regions.Region(l)
		if r == nil || c.source.Memory[r] == nil {
			continue
		}
		t := c.source.Variables[c.source.Memory[r]].Type
		if inside == 0 || t != nil && inside < t.Size() {
			return r, inside
		}
		return nil, 0
	}
	return nil, 0
}

// firstObject is an address below which there are no objects: functions have the addresses there.
const firstObject = 1 << 16

// scalar is a value as an answer. An address is that of the object in the run of C, or, if that is not known, of a new one.
func (c *contents) scalar(v boogie.Value, t tree.Type) (interpret.Value, bool) {
	n := number(v)
	if _, ok := t.(*tree.Pointer); !ok || n == nil || n.Cmp(big.NewInt(firstObject)) < 0 {
		return scalar(v, t)
	}
	var bases []uint64
	for base, p := range c.at {
		if a := number(p.address); a != nil && a.Cmp(n) == 0 {
			bases = append(bases, base)
		}
	}
	if len(bases) == 0 {
		return interpret.Fresh(), true
	}
	return interpret.BigInt(new(big.Int).SetUint64(slices.Max(bases))), true
}

// offsetBy is an address some bytes behind another one.
func offsetBy(address boogie.Value, bytes int64) boogie.Value {
	n := new(big.Int).Add(number(address), big.NewInt(bytes))
	if v, ok := address.(boogie.BitVector); ok {
		return boogie.BitVector{N: n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(v.Width)), big.NewInt(1))), Width: v.Width}
	}
	return boogie.Int{N: n}
}

// number is the number that a value stands for, nil if it is none.
func number(v boogie.Value) *big.Int {
	switch v := v.(type) {
	case boogie.Int:
		return v.N
	case boogie.BitVector:
		return v.N
	}
	return nil
}
