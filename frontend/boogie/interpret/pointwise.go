package interpret

import (
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// mapBuiltin applies an operator that makes a map from maps, or from one value; nil when it is none that is known.
func (sc *scope) mapBuiltin(operator string, args []Value, result ast.Type) (Value, error) {
	t, ok := result.(*ast.Map)
	if !ok || len(t.Domain) != 1 || len(t.Params) > 0 {
		return nil, nil
	}
	if operator == "MapConst" || strings.HasPrefix(operator, "const-Array-") {
		return NewMap(t.Domain[0], args[0]), nil
	}
	combine := func(entries []Value) (Value, error) {
		switch operator {
		case "MapNot":
			return !entries[0].(Bool), nil
		case "MapIte":
			if entries[0].(Bool) {
				return entries[1], nil
			}
			return entries[2], nil
		}
		return sc.operator(ast.MapOperators[operator], entries[0], entries[1])
	}
	count := map[string]int{"MapNot": 1, "MapIte": 3}[operator]
	if _, ok := ast.MapOperators[operator]; ok {
		count = 2
	}
	if count == 0 || count != len(args) {
		return nil, nil
	}
	maps := make([]*Map, len(args))
	for i, a := range args {
		m, ok := a.(*Map)
		if !ok {
			return nil, nil
		}
		maps[i] = m
	}
	at := func(entry func(*Map) (Value, error)) (Value, error) {
		entries := make([]Value, len(maps))
		for i, m := range maps {
			var err error
			if entries[i], err = entry(m); err != nil {
				return nil, err
			}
		}
		return combine(entries)
	}
	for _, m := range maps {
		if m.fallback == nil {
			return newComputed(t.Domain[0], func(i Value) (Value, error) {
				return at(func(m *Map) (Value, error) { return m.Select(i) })
			}), nil
		}
	}
	// All but finitely many entries are the same.
	fallback, err := at(func(m *Map) (Value, error) { return m.fallback, nil })
	if err != nil {
		return nil, err
	}
	out := NewMap(t.Domain[0], fallback)
	for _, m := range maps {
		for _, e := range m.sorted() {
			v, err := at(func(m *Map) (Value, error) { return m.Select(e.index) })
			if err != nil {
				return nil, err
			}
			if out, err = out.Store(e.index, v); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
