package refine

import (
	"hornbeam/chc/transform/expand"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/translate"
)

// arrayLengths are the lengths of the arrays that predicates have for arguments, as far as they are constants of the program.
// unknown are the names of the others, in the order in which they come up: arrays behind pointers, and those whose length is
// computed.
func arrayLengths(t *translate.Result, e *encode.Encoding) (lengths expand.Lengths, unknown []string) {
	lengths = expand.Lengths{}
	named := map[string]bool{}
	for _, p := range e.System.Predicates {
		m := e.Meanings[p]
		lengths[p] = make([]int64, p.Arity())
		for i, a := range m.Arguments {
			if !p.Sorts[i].IsArray() {
				continue
			}
			var origin *origin.Variable
			if a.Variable != nil {
				origin = t.Origins.Named(m.Procedure.Name, a.Variable.Name)
			}
			if lengths[p][i] = lengthOf(origin); lengths[p][i] > 0 {
				continue
			}
			name := p.ArgNames[i]
			if origin != nil && origin.Object != nil && origin.Object.Name != "" {
				name = origin.Object.Name
			}
			if !named[name] {
				named[name] = true
				unknown = append(unknown, name)
			}
		}
	}
	return lengths, unknown
}

// lengthOf is how many elements a map has, 0 if that is not known.
func lengthOf(o *origin.Variable) int64 {
	if o == nil || !o.Map || o.Region != nil {
		return 0
	}
	length := int64(1)
	for _, s := range o.Path {
		if s.Field != nil {
			continue
		}
		const most = 1 << 20 // which is more than anybody wants variables for
		if length *= s.Index; length <= 0 || length > most {
			return 0
		}
	}
	return length
}
