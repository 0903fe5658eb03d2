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
