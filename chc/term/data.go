package term

// Construct returns the constructor c applied to one term for each selector.
func (p *Pool) Construct(c *Constructor, args ...*Term) *Term {
	ok := len(args) == len(c.Selectors)
	for i := 0; ok && i < len(args); i++ {
		ok = args[i].sort == c.Selectors[i].Sort
	}
	p.check(ok, c.Name, args...)
	return p.intern(Construct, c.Data.Sort, c.ext, args...)
}

// Field returns the field sel of the datatype term t. Of another constructor's term it is unspecified.
func (p *Pool) Field(sel *Selector, t *Term) *Term {
	p.check(t.sort == sel.Ctor.Data.Sort, sel.Name, t)
	if t.op == Construct && t.ext == sel.Ctor.ext {
		return t.args[sel.Index]
	}
	return p.intern(Field, sel.Sort, sel.ext, t)
}

// Is returns whether the datatype term t was built by c. For a constructor without fields it is an equality.
func (p *Pool) Is(c *Constructor, t *Term) *Term {
	p.check(t.sort == c.Data.Sort, "is "+c.Name, t)
	switch {
	case t.op == Construct:
		return p.Bool(t.ext == c.ext)
	case len(c.Data.Constructors) == 1:
		return p.tru
	case len(c.Selectors) == 0:
		return p.Eq(t, p.Construct(c))
	}
	return p.intern(Is, Bool, c.ext, t)
}

// Apply returns the uninterpreted function f applied to args.
func (p *Pool) Apply(f *Func, args ...*Term) *Term {
	ok := len(args) == len(f.Domain)
	for i := 0; ok && i < len(args); i++ {
		ok = args[i].sort == f.Domain[i]
	}
	p.check(ok, f.Name, args...)
	return p.intern(Apply, f.Range, f.ext, args...)
}

// Element returns the i-th element (i >= 0) of an uninterpreted sort, a value of models; elements of different indices
// differ.
func (p *Pool) Element(s *Sort, i int) *Term {
	p.check(s.Kind == UninterpretedKind && i >= 0, "element")
	return p.own(Element, s, &key{num: NewInt(int64(i))})
}

// evalOther evaluates the operators whose results can have any sort.
func (e *Evaluator) evalOther(t *Term) (Value, bool) {
	switch t.op {
	case Var:
		return e.a.Lookup(t)
	case Select:
		return e.selectAt(t.args[0], t.args[1])
	case Field:
		v, ok := e.value(t.args[0])
		if !ok {
			return Value{}, false
		}
		if v.term.ext.ctor != t.ext.sel.Ctor {
			if !e.total {
				return Value{}, false
			}
			return DefaultValue(e.p, t.sort), true
		}
		return TermValue(v.term.args[t.ext.sel.Index]), true
	}
	var scratch [4]*Term
	args := scratch[:0]
	for _, a := range t.args {
		v, ok := e.value(a)
		if !ok {
			return Value{}, false
		}
		args = append(args, v.Term(e.p))
	}
	switch t.op {
	case Store:
		return TermValue(e.p.Store(args[0], args[1], args[2])), true
	case ConstArray:
		return TermValue(e.p.ConstArray(t.sort, args[0])), true
	case Construct:
		return TermValue(e.p.Construct(t.ext.ctor, args...)), true
	case Apply:
		return e.a.Lookup(e.p.Apply(t.ext.fn, args...))
	}
	panic("term: no evaluation of " + t.op.String())
}

// selectAt evaluates a[i] without evaluating the whole array where stores decide.
func (e *Evaluator) selectAt(a, i *Term) (Value, bool) {
	at, ok := e.value(i)
	if !ok {
		return Value{}, false
	}
	for {
		switch a.op {
		case ConstArray:
			return e.value(a.args[0])
		case Store:
			j, ok := e.value(a.args[1])
			if !ok {
				return Value{}, false
			}
			if j.Equal(at) {
				return e.value(a.args[2])
			}
			a = a.args[0]
			continue
		case Ite:
			switch e.truth(a.args[0]) {
			case isTrue:
				a = a.args[1]
				continue
			case isFalse:
				a = a.args[2]
				continue
			}
		}
		v, ok := e.value(a)
		if !ok {
			return Value{}, false
		}
		// Indices of a value are values, so this folds.
		return TermValue(e.p.Select(v.term, at.Term(e.p))), true
	}
}

// masked hides variables of an assignment.
type masked struct {
	a    Assignment
	vars []*Term
}

func (m masked) Lookup(v *Term) (Value, bool) {
	for _, x := range m.vars {
		if x == v {
			return Value{}, false
		}
	}
	return m.a.Lookup(v)
}
