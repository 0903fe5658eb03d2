package translate

import (
	"cmp"
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// fold finds the objects that are never written and are replaced by their value.
func (t *translator) fold() {
	for _, o := range t.reached.Objects {
		if t.usage.Written[o] || o.External || o.Volatile || t.bound.Escapes[o] {
			continue
		}
		switch o.Type.(type) {
		case *tree.Integer, *tree.Pointer:
		default:
			if _, ok := FormatOf(o.Type); !ok {
				continue
			}
		}
		if len(o.Init) == 0 {
			t.constants[o] = new(big.Int)
		} else if c, ok := o.Init[len(o.Init)-1].Value.(*tree.Constant); ok {
			t.constants[o] = c.Int
		} else if c, ok := o.Init[len(o.Init)-1].Value.(*tree.FloatConstant); ok && tree.Same(c.T, o.Type) {
			if x := floatLiteral(c); x != nil {
				t.constants[o] = x
			}
		}
	}
	for _, o := range t.reached.Objects {
		switch {
		case t.hidden(o):
			t.result.Unread = append(t.result.Unread, o)
		case t.constants[o] == nil && !t.bound.Escapes[o] && usage.Divisible(o.Type):
			t.storage(o)
		}
	}
}

// begin gives an object that lives as long as the program its first value.
func (f *function) begin(o *tree.Object) {
	r := f.storages[o]
	if r == nil {
		r = f.translator.storages[o].root
	}
	n := &tree.Use{At: tree.At{Position: o.Pos}, Object: o}
	if o.External {
		r.each(func(s *storage) {
			f.havoc(at(n), &origin.Event{Kind: origin.Began, Object: o, Path: s.path()}, s.typ, s.variable)
		})
		return
	}
	f.initialise(n, r, o.Init)
}

// contents are what an initialiser gives the scalars of one variable.
type contents struct {
	storage *storage
	value   ast.Expr           // of a scalar
	whole   ast.Expr           // a map that was copied
	at      map[int64]ast.Expr // of a map, by the element's number
	order   []int64            // the numbers in at, in the order of the initialiser
	length  int64              // how many elements the variable stands for
	// comes says of a scalar that it comes from an object without a value, or of elements by their number.
	comes map[int64]ast.Expr
}

// initialise fills an object; what the initialiser leaves out is zero.
func (f *function) initialise(n tree.Node, r *root, init []tree.Initial) {
	pos := at(n)
	byVariable := map[*ast.Variable]*contents{}
	var all []*contents
	r.each(func(s *storage) {
		c := &contents{storage: s, at: map[int64]ast.Expr{}, comes: map[int64]ast.Expr{}, length: max(below(r.storage, s), 0)}
		byVariable[s.variable] = c
		all = append(all, c)
	})
	// Of the values that come later only those matter that change something: mostly none.
	var later []tree.Node
	var behind []int
	for k, i := range init {
		if i.Value != nil && f.effects.Of(i.Value).Writes() {
			later, behind = append(later, i.Value), append(behind, k)
		}
	}
	for k, i := range init {
		for len(behind) > 0 && behind[0] <= k {
			later, behind = later[1:], behind[1:]
		}
		f.initial(n, r, i, byVariable, later)
	}
	s := &ast.Assign{Pos: pos}
	for _, c := range all {
		s.Left = append(s.Left, use(c.storage.variable))
		s.Right = append(s.Right, f.filled(n, c))
	}
	if len(s.Left) > 0 {
		f.add(s)
	}
	for _, c := range all {
		f.shadeContents(n, c)
	}
}

// initial notes one value of an initialiser.
func (f *function) initial(n tree.Node, r *root, i tree.Initial, to map[*ast.Variable]*contents, later []tree.Node) {
	st, number := r.storage, int64(0)
	for _, p := range i.Path {
		switch {
		case p.Field != nil:
			if p.Field.Parent.Union {
				f.refuse(n.Pos(), "the initialiser of a union")
				return
			}
			st = st.fields[p.Field.Index]
		case st.elem == nil:
			st = st.parts[p.Index]
		default:
			number = number*max(st.typ.(*tree.Array).Len, 0) + p.Index
			st = st.elem
		}
	}
	if i.Value == nil {
		f.text(n, st, number, i.Bytes, to)
		return
	}
	values, parts := f.valuesFrom(i.Value)
	if i.Field != nil {
		values[0] = f.truncate(i.Value, i.Field, values[0])
	}
	if len(later) > 0 {
		syntax := f.syntaxOf(i.Value, i.Value.Type())
		for k, e := range values {
			if f.changes(e, later...) {
				values[k] = f.settle(at(i.Value), e, syntax[k])
			}
		}
	}
	for repeat := range max(i.Repeat, 1) {
		at, k := st, 0
		if repeat > 0 && st.parent.elem == nil { // taken apart
			at = st.parent.parts[st.step.Index+repeat]
		}
		at.each(func(leaf *storage) {
			c := to[leaf.variable]
			c.comes[number+repeat] = partOf(parts, k)
			switch count := below(at, leaf); {
			case leaf.keys == 0:
				c.value = values[k]
			case count == 1:
				c.set(number+repeat, values[k])
			case leaf.keys > 0 && r.storage == at:
				c.whole = values[k]
			default:
				pos := values[k].At()
				for m := range count {
					c.set((number+repeat)*count+m, &ast.Select{
						Node: ast.Node{Pos: pos}, Map: values[k], Index: []ast.Expr{machine.Number(pos, m)},
					})
				}
			}
			k++
		})
	}
}

func (c *contents) set(i int64, e ast.Expr) {
	if _, ok := c.at[i]; !ok {
		c.order = append(c.order, i)
	}
	c.at[i] = e
}

// text notes the characters of a string literal, for the array st at the number, or its first element.
func (f *function) text(n tree.Node, st *storage, number int64, bytes []byte, to map[*ast.Variable]*contents) {
	if a, ok := st.typ.(*tree.Array); ok {
		number *= max(a.Len, 0)
		if st.elem != nil {
			st = st.elem
		} else {
			st = st.parts[0]
		}
	}
	elem := st.typ.(*tree.Integer)
	for k, c := range charactersOf(elem, bytes) {
		leaf := st
		if st.parent != nil && st.parent.parts != nil {
			leaf = st.parent.parts[int(st.step.Index)+k]
		}
		value := machine.Literal(at(n), c)
		if leaf.keys == 0 {
			to[leaf.variable].value = value
		} else {
			to[leaf.variable].set(number+int64(k), value)
		}
	}
}

// filled is the value of a variable that has the contents. A map is constant but for what differs from the most frequent
// value, if that is known for all elements, else from zero.
func (f *function) filled(n tree.Node, c *contents) ast.Expr {
	pos := at(n)
	if c.storage.keys == 0 {
		if c.value != nil {
			return c.value
		}
		return f.zero(n, c.storage.typ)
	}
	if c.whole != nil {
		return c.whole
	}
	var usual ast.Expr = f.zero(n, c.storage.typ)
	if int64(len(c.at)) == c.length && len(c.at) > 1 {
		count := map[string]int{}
		best := 0
		for _, i := range c.order {
			if l, ok := c.at[i].(*ast.IntLiteral); ok {
				count[l.Value.String()]++
				if k := count[l.Value.String()]; k > best {
					best, usual = k, l
				}
			}
		}
	}
	var m ast.Expr = usual
	for range c.storage.keys {
		m = machine.Constant(pos, machine.Int, m)
	}
	if c.storage.keys > 1 {
		return m
	}
	slices.SortStableFunc(c.order, func(a, b int64) int { return cmp.Compare(a, b) })
	for _, i := range c.order {
		if l, ok := c.at[i].(*ast.IntLiteral); ok {
			if u, ok := usual.(*ast.IntLiteral); ok && u.Value.Cmp(l.Value) == 0 {
				continue
			}
		}
		m = &ast.Store{Node: ast.Node{Pos: pos}, Map: m, Index: []ast.Expr{machine.Number(pos, i)}, Value: c.at[i]}
	}
	return m
}

// charactersOf are the characters of a string, whose bytes are in little-endian order.
func charactersOf(t *tree.Integer, bytes []byte) []*big.Int {
	var out []*big.Int
	size := int(max(t.Size(), 1))
	for k := 0; k+size <= len(bytes); k += size {
		n := new(big.Int)
		for i := size - 1; i >= 0; i-- {
			n.Lsh(n, 8)
			n.Or(n, big.NewInt(int64(bytes[k+i])))
		}
		out = append(out, t.Wrap(n))
	}
	return out
}
