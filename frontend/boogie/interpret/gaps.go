package interpret

import (
	"math/big"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// maxCritical bounds the integers that are tried where all that matter are known.
const maxCritical = 16 * maxDomain

// gaps finds the integers at which a condition on one integer variable may change its truth. It may where a comparison of
// the variable, shifted, with something that does not depend on it turns, and at the indices at which maps that are read
// there have entries; everywhere else it is what it is next to it. So a condition of no other parts is decided by finitely
// many integers although there is no bound for the variable: `forall i :: a <= i ==> m[i] == n[i + 1]`, for example.
type gaps struct {
	// shifts are what variables that depend on the integer are more than it: the bound one, and parameters of functions
	// that are expanded.
	shifts map[*ast.Variable]*big.Int
	points map[string]*big.Int
}

// critical returns the integers that decide a quantified condition on one integer, in order; nil when it has other parts.
func (sc *scope) critical(x *ast.Quantifier) []*big.Int {
	if len(x.Bound) != 1 {
		return nil
	}
	g := &gaps{shifts: map[*ast.Variable]*big.Int{x.Bound[0]: new(big.Int)}, points: map[string]*big.Int{}}
	if !g.condition(sc, x.Body, 0) {
		return nil
	}
	g.add(new(big.Int))
	points := make([]*big.Int, 0, len(g.points))
	for _, p := range g.points {
		points = append(points, p)
	}
	slices.SortFunc(points, (*big.Int).Cmp)
	// Each of them, and one integer of each gap.
	one := big.NewInt(1)
	out := []*big.Int{new(big.Int).Sub(points[0], one)}
	for i, p := range points {
		out = append(out, p)
		if next := new(big.Int).Add(p, one); i+1 == len(points) || next.Cmp(points[i+1]) < 0 {
			out = append(out, next)
		}
	}
	if len(out) > maxCritical {
		return nil
	}
	return out
}

func (g *gaps) add(n *big.Int) { g.points[n.String()] = n }

// depends reports whether an expression depends on the integer.
func (g *gaps) depends(e ast.Expr) bool {
	for v := range g.shifts {
		if ast.Mentions(e, []*ast.Variable{v}) {
			return true
		}
	}
	return false
}

// maxExpansions bounds the functions around a part.
const maxExpansions = 20

// condition looks at a part whose value is not the integer itself; false when it may change anywhere.
func (g *gaps) condition(sc *scope, e ast.Expr, depth int) bool {
	if !g.depends(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.Coercion:
		return g.condition(sc, e.X, depth)
	case *ast.Unary:
		return e.Op == ast.Not && g.condition(sc, e.X, depth)
	case *ast.IfThenElse:
		return g.condition(sc, e.Cond, depth) && g.condition(sc, e.Then, depth) && g.condition(sc, e.Else, depth)
	case *ast.Select:
		return len(e.Index) == 1 && g.selection(sc, e, depth)
	case *ast.Application:
		inner, params, ok := g.expand(sc, e, depth)
		if !ok {
			return false
		}
		defer g.forget(params)
		return g.condition(inner, e.Function.Body, depth+1)
	case *ast.Binary:
		switch e.Op {
		case ast.Less, ast.LessEq, ast.Greater, ast.GreaterEq, ast.Eq, ast.Neq:
			for _, sides := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
				if shift := g.shifted(sc, sides[0], depth); shift != nil && !g.depends(sides[1]) {
					v, err := sc.eval(sides[1])
					n, isInt := v.(Int)
					if err != nil || !isInt {
						return false
					}
					g.add(new(big.Int).Sub(n.N, shift))
					return true
				}
			}
		case ast.And, ast.Or, ast.Implies, ast.Explies, ast.Iff:
		default:
			return false
		}
		return g.condition(sc, e.X, depth) && g.condition(sc, e.Y, depth)
	}
	return false
}

// selection looks at a map that is read at the integer: it changes at its entries.
func (g *gaps) selection(sc *scope, e *ast.Select, depth int) bool {
	shift := g.shifted(sc, e.Index[0], depth)
	if shift == nil || g.depends(e.Map) {
		return false
	}
	v, err := sc.eval(e.Map)
	m, ok := v.(*Map)
	if err != nil || !ok || m.compute != nil {
		return false
	}
	for _, entry := range m.sorted() {
		n, ok := entry.index.(Int)
		if !ok || len(g.points) > maxCritical {
			return false
		}
		g.add(new(big.Int).Sub(n.N, shift))
	}
	return true
}

// shifted is how much more than the integer an expression is, nil for others.
func (g *gaps) shifted(sc *scope, e ast.Expr, depth int) *big.Int {
	switch e := e.(type) {
	case *ast.Coercion:
		return g.shifted(sc, e.X, depth)
	case *ast.Identifier:
		return g.shifts[e.Decl]
	case *ast.Application:
		inner, params, ok := g.expand(sc, e, depth)
		if !ok {
			return nil
		}
		defer g.forget(params)
		return g.shifted(inner, e.Function.Body, depth+1)
	case *ast.Binary:
		if e.Op != ast.Add && e.Op != ast.Sub {
			return nil
		}
		x, y := e.X, e.Y
		if e.Op == ast.Add && g.depends(y) {
			x, y = y, x
		}
		shift := g.shifted(sc, x, depth)
		if shift == nil || g.depends(y) {
			return nil
		}
		v, err := sc.eval(y)
		n, ok := v.(Int)
		switch {
		case err != nil || !ok:
			return nil
		case e.Op == ast.Sub:
			return new(big.Int).Sub(shift, n.N)
		}
		return new(big.Int).Add(shift, n.N)
	}
	return nil
}

// expand is the scope of an application's body, with its parameters bound to what does not depend on the integer, and
// those that do, which shifts has until forget.
func (g *gaps) expand(sc *scope, e *ast.Application, depth int) (inner *scope, shifted []*ast.Variable, ok bool) {
	f := e.Function
	if f.Body == nil || len(f.TypeParams) > 0 || f.Datatype != nil || f.Builtin() != "" || sc.definitions[f] != nil || depth > maxExpansions {
		return nil, nil, false
	}
	inner = &scope{machine: sc.machine}
	found := map[*ast.Variable]*big.Int{}
	for i, a := range e.Args {
		p := f.Params[i]
		if g.shifts[p] != nil {
			return nil, nil, false // a function within itself
		}
		if g.depends(a) {
			shift := g.shifted(sc, a, depth)
			if shift == nil {
				return nil, nil, false
			}
			found[p] = shift
			continue
		}
		v, err := sc.eval(a)
		if err != nil {
			return nil, nil, false
		}
		inner = inner.with([]*ast.Variable{p}, []Value{v})
	}
	for _, p := range f.Params {
		if found[p] != nil {
			g.shifts[p] = found[p]
			shifted = append(shifted, p)
		}
	}
	return inner, shifted, true
}

func (g *gaps) forget(vs []*ast.Variable) {
	for _, v := range vs {
		delete(g.shifts, v)
	}
}

// Repair is an entry that a map would need for an assumption to hold; without an Index it is the value elsewhere.
type Repair struct {
	Variable     *ast.Variable
	Index, Value Value
}

// repairs are what a local map would have to be for an assumption `forall i :: … ==> m[i + a] == e` to hold.
func (sc *scope) repairs(cond ast.Expr) []Repair {
	x, ok := cond.(*ast.Quantifier)
	if !ok || x.Exists {
		return nil
	}
	body, ok := x.Body.(*ast.Binary)
	if !ok || body.Op != ast.Implies {
		return nil
	}
	equation, ok := body.Y.(*ast.Binary)
	if !ok || equation.Op != ast.Eq {
		return nil
	}
	points := sc.critical(x)
	if points == nil {
		return nil
	}
	for _, sides := range [][2]ast.Expr{{equation.X, equation.Y}, {equation.Y, equation.X}} {
		read, ok := sides[0].(*ast.Select)
		if !ok || len(read.Index) != 1 {
			continue
		}
		id, ok := read.Map.(*ast.Identifier)
		if !ok || id.Decl.Kind == ast.Global || id.Decl.Kind == ast.Constant || ast.Mentions(sides[1], []*ast.Variable{id.Decl}) {
			continue
		}
		if _, local := sc.locals[id.Decl]; local {
			return sc.repairsAt(x, id.Decl, read.Index[0], sides[1], points)
		}
	}
	return nil
}

// repairsAt tries the critical integers, and those between two of them when they are few.
func (sc *scope) repairsAt(x *ast.Quantifier, m *ast.Variable, index, value ast.Expr, points []*big.Int) []Repair {
	var out []Repair
	at := func(n *big.Int) *Repair {
		here := sc.with(x.Bound, []Value{Int{n}})
		if holds, err := here.truth(x.Body); err != nil || holds {
			return nil
		}
		i, err := here.eval(index)
		if err != nil {
			return nil
		}
		v, err := here.eval(value)
		if err != nil {
			return nil
		}
		return &Repair{Variable: m, Index: i, Value: v}
	}
	last := len(points) - 1
	order := []int{0, last}
	for k := 1; k < last; k++ {
		order = append(order, k)
	}
	for _, k := range order {
		p := points[k]
		r := at(p)
		if r == nil {
			continue
		}
		if k == 0 || k == last {
			// It is so for all integers on this side. Which others need another value is seen when these have theirs.
			return []Repair{{Variable: m, Value: r.Value}}
		}
		out = append(out, *r)
		for n := new(big.Int).Add(p, big.NewInt(1)); len(out) < maxCritical && n.Cmp(points[k+1]) < 0; n = new(big.Int).Add(n, big.NewInt(1)) {
			next := at(n)
			if next == nil {
				break
			}
			out = append(out, *next)
		}
	}
	return out
}

// Apply is the map with the repairs of a variable.
func Apply(v Value, repairs []Repair) (Value, error) {
	m, ok := v.(*Map)
	if !ok || m.compute != nil {
		return v, nil
	}
	out := NewMap(m.index, m.fallback)
	for _, r := range repairs {
		if r.Index == nil {
			out.fallback = r.Value
		}
	}
	for _, e := range m.sorted() {
		var err error
		if out, err = out.Store(e.index, e.value); err != nil {
			return nil, err
		}
	}
	for _, r := range repairs {
		if r.Index == nil {
			continue
		}
		var err error
		if out, err = out.Store(r.Index, r.Value); err != nil {
			return nil, err
		}
	}
	return out, nil
}
