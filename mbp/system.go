package mbp

import (
	"errors"
	"fmt"

	"hornbeam/chc/term"
)

// errViolated reports that a derived literal is false under the model: the caller falls back to model values.
var errViolated = errors.New("derived literal is false under the model")

// errTooBig reports coefficients beyond Options.MaxBits: the caller falls back to model values.
var errTooBig = errors.New("coefficients outgrew the limit")

// column is one unknown of the rows: a variable, or an opaque Int or Real term (a product, mod, select, ...).
type column struct {
	t       *term.Term // nil for a fresh variable that no term mentions yet
	val     term.Num
	valued  bool
	integer bool
	v       int32   // the variable to eliminate that this column is, or -1
	inside  []int32 // variables to eliminate that occur inside an opaque column
	rows    []int32 // rows that mention it, if it is or contains a variable to eliminate
}

func (c *column) active() bool { return c.v >= 0 || len(c.inside) > 0 }

// variable is one variable to eliminate, given or fresh.
type variable struct {
	t      *term.Term // nil for a fresh variable that no term mentions yet
	sort   *term.Sort
	col    int32   // its column, or -1 when it occurs in no row
	opaque []int32 // columns that contain it inside a term
	others []int32 // literals outside the rows that contain it
	done   bool
	plan   plan
	stale  bool // plan must be made again
}

// other is a literal that is not a row: Booleans, equalities of other sorts, predicates over them.
type other struct {
	lit  *term.Term
	vars []int32
	dead bool
}

// system is the state of one projection: the literals that still mention variables to eliminate, indexed by variable,
// and the literals that are done. The invariant of every step is that the model makes all of them true and that they
// imply that the eliminated variables have values.
type system struct {
	p     *term.Pool
	opts  *Options
	stats *Stats
	// model has values for fresh variables beside the caller's.
	model term.Overlay
	ev    *term.Evaluator

	vars   []variable
	varOf  term.Map[int32]
	cols   []column
	colOf  term.Map[int32]
	rows   []row
	byHash map[uint64]int32 // bounds by the hash of their sums
	others []other

	arrayVars []int32        // the variables of array sorts
	dataVars  []int32        // the variables of datatype sorts
	bitVars   []int32        // the variables of bit-vector sorts
	inForm    term.Map[bool] // the literals that rewriteBits has made or left alone
	nextData  int            // the first of others that datatypes has not looked at
	nextOther int            // the first of others that solveOthers has not looked at
	quotients map[quotientKey]int32

	// indices are the array indices of the first indexedCols columns and indexedOthers other literals.
	indices                    []*term.Term
	isIndex                    term.Map[bool]
	indexedCols, indexedOthers int

	out     []*term.Term
	loading bool  // the caller's literals are being filed
	exact   bool  // so far the literals are equivalent to the existential
	err     error // the first failure; steps stop when it is set
}

// newSystem returns a system for about size literals.
func newSystem(p *term.Pool, opts *Options, stats *Stats, size int, eliminate []*term.Term, a term.Assignment) *system {
	s := &system{
		p: p, opts: opts, stats: stats, exact: true,
		model:  term.Overlay{Values: term.MapAssignment{}, Rest: term.Complete(p, a)},
		byHash: make(map[uint64]int32, size),
		rows:   make([]row, 0, 2*size), // about what a projection makes
		cols:   make([]column, 0, 2*len(eliminate)),
		vars:   make([]variable, 0, len(eliminate)),
	}
	s.ev = term.NewEvaluator(p, s.model)
	for _, v := range eliminate {
		if s.varOf.Has(v) {
			continue
		}
		s.register(v)
	}
	return s
}

// register adds a variable to eliminate.
func (s *system) register(t *term.Term) {
	v := int32(len(s.vars))
	s.varOf.Put(t, v)
	s.vars = append(s.vars, variable{t: t, sort: t.Sort(), col: -1, stale: true})
	switch t.Sort().Kind {
	case term.ArrayKind:
		s.arrayVars = append(s.arrayVars, v)
	case term.DatatypeKind:
		s.dataVars = append(s.dataVars, v)
	case term.BitVecKind:
		s.bitVars = append(s.bitVars, v)
	}
}

func (s *system) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// inside returns the variables to eliminate that occur in t, in order of first occurrence.
func (s *system) inside(t *term.Term) []int32 {
	var found []int32
	for _, v := range term.Vars(t) {
		if i, ok := s.varOf.Get(v); ok && !s.vars[i].done {
			found = append(found, i)
		}
	}
	return found
}

// column returns the column of an Int or Real term that is not a sum.
func (s *system) column(t *term.Term) int32 {
	if c, ok := s.colOf.Get(t); ok {
		return c
	}
	c := int32(len(s.cols))
	s.colOf.Put(t, c)
	col := column{t: t, integer: t.Sort() == term.Int, v: -1}
	if v, ok := s.varOf.Get(t); ok && !s.vars[v].done {
		col.v = v
		s.vars[v].col = c
	} else if !t.IsVar() {
		col.inside = s.inside(t)
		for _, v := range col.inside {
			s.vars[v].opaque = append(s.vars[v].opaque, c)
		}
	}
	s.cols = append(s.cols, col)
	return c
}

// freshVariable adds an Int variable to eliminate that stands for a quotient, with its value.
func (s *system) freshVariable(val term.Num) int32 {
	v, c := int32(len(s.vars)), int32(len(s.cols))
	s.cols = append(s.cols, column{val: val, valued: true, integer: true, v: v})
	s.vars = append(s.vars, variable{sort: term.Int, col: c, stale: true})
	return v
}

// freshTerm adds a variable to eliminate of any sort, with its value under the model, and returns its term.
func (s *system) freshTerm(sort *term.Sort, val term.Value) *term.Term {
	t := s.nameValue(sort, val)
	s.register(t)
	return t
}

// nameValue returns a fresh variable with a value under the model. It is not one to eliminate until it is registered.
func (s *system) nameValue(sort *term.Sort, val term.Value) *term.Term {
	t := s.p.Fresh("mbp", sort)
	s.model.Values[t] = val
	return t
}

// columnTerm returns the term of a column, naming a fresh variable when first asked for.
func (s *system) columnTerm(c int32) *term.Term {
	col := &s.cols[c]
	if col.t == nil {
		col.t = s.p.Fresh("mbp", term.Int)
		s.model.Values[col.t] = term.NumValue(col.val, term.Int)
		s.colOf.Put(col.t, c)
		s.varOf.Put(col.t, col.v)
		s.vars[col.v].t = col.t
	}
	return col.t
}

// value returns a column's value under the model.
func (s *system) value(c int32) term.Num {
	col := &s.cols[c]
	if !col.valued {
		v, ok := s.ev.Eval(col.t)
		if !ok {
			s.fail(fmt.Errorf("evaluate %s: %w", col.t, ErrUndetermined))
			return term.Num{}
		}
		col.val, col.valued = v.Num(), true
	}
	return col.val
}

func (s *system) sumValue(l sum) term.Num {
	v := l.con
	for _, e := range l.ents {
		v = v.Add(e.coef.Mul(s.value(e.col)))
	}
	return v
}

// linear turns a term's linear form into a sum over columns; integer subterms under to_real become Int columns.
func (s *system) linear(l term.Linear) sum {
	out := sum{ents: make([]entry, 0, len(l.Monomials)), con: l.Const}
	s.addLinear(&out, l, one)
	out.sortMerge()
	return out
}

func (s *system) addLinear(out *sum, l term.Linear, f term.Num) {
	for _, m := range l.Monomials {
		k := m.Coef.Mul(f)
		if m.Term.Op() == term.ToReal {
			inner := s.p.Linear(m.Term.Arg(0))
			out.con = out.con.Add(inner.Const.Mul(k))
			s.addLinear(out, inner, k)
			continue
		}
		out.ents = append(out.ents, entry{s.column(m.Term), k})
	}
}

func (s *system) anyActive(l sum) bool {
	for _, e := range l.ents {
		if s.cols[e.col].active() {
			return true
		}
	}
	return false
}

// addRow normalises a row that the step derived (its entries become the system's), files it under its active columns,
// or moves it to the result when it has none.
func (s *system) addRow(l sum, rel relation, mod term.Num) {
	if s.err != nil {
		return
	}
	r := row{ents: l.ents, con: l.con, rel: rel, mod: mod, integer: true}
	active := false
	for _, e := range r.ents {
		c := &s.cols[e.col]
		r.integer = r.integer && c.integer
		active = active || c.active()
	}
	switch r.normalise() {
	case trivial:
		return
	case absurd:
		s.fail(errViolated)
		return
	}
	if s.tooBig(&r) {
		s.fail(errTooBig)
		return
	}
	if active { // normalisation may have removed the active columns of a divisibility
		active = s.anyActive(r.sum())
	}
	r.val = s.sumValue(r.sum())
	if s.err == nil && !holds(r.rel, r.val, r.mod) {
		s.fail(errViolated)
		return
	}
	if !active {
		s.out = append(s.out, s.rowTerm(&r))
		return
	}
	id := int32(len(s.rows))
	if rel := r.rel; (rel == le || rel == lt) && s.subsumed(&r, id) {
		return
	}
	s.rows = append(s.rows, r)
	for _, e := range r.ents {
		if c := &s.cols[e.col]; c.active() {
			c.rows = append(c.rows, id)
			s.touch(c)
		}
	}
}

// touch marks the plans of the variables that are or occur in the column as out of date.
func (s *system) touch(c *column) {
	if c.v >= 0 {
		s.vars[c.v].stale = true
	}
	for _, v := range c.inside {
		s.vars[v].stale = true
	}
}

// subsumed reports whether a live bound with the same sum is at least as tight; a weaker one is removed instead.
func (s *system) subsumed(r *row, id int32) bool {
	h := hashEntries(r.ents)
	old, ok := s.byHash[h]
	if ok && !s.rows[old].dead && sameEntries(s.rows[old].ents, r.ents) {
		o := &s.rows[old]
		if c := o.con.Cmp(r.con); c > 0 || c == 0 && (o.rel == lt || r.rel == le) {
			return true
		}
		s.kill(old)
	}
	s.byHash[h] = id
	return false
}

func hashEntries(es []entry) uint64 {
	h := uint64(14695981039346656037)
	for _, e := range es {
		h = (h ^ uint64(e.col)) * 1099511628211
		h = (h ^ uint64(e.coef.Hash())) * 1099511628211
	}
	return h
}

func sameEntries(a, b []entry) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].col != b[i].col || !a[i].coef.Equal(b[i].coef) {
			return false
		}
	}
	return true
}

// kill removes a row.
func (s *system) kill(id int32) {
	r := &s.rows[id]
	if r.dead {
		return
	}
	r.dead = true
	for _, e := range r.ents {
		if c := &s.cols[e.col]; c.active() {
			s.touch(c)
		}
	}
}

// live returns the live rows of a column; the slice is good until the next row is added.
func (s *system) live(c int32) []int32 {
	col := &s.cols[c]
	out := col.rows[:0]
	for _, id := range col.rows {
		if !s.rows[id].dead {
			out = append(out, id)
		}
	}
	col.rows = out
	return out
}
