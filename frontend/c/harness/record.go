package harness

import (
	"strings"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// cell is a scalar at an offset, in bytes.
type cell struct {
	offset int64
	t      tree.Type
	value  interpret.Value
	// argument says of what a function writes the argument that it is written behind; inResult for a result, inErrno for errno.
	argument int
}

const (
	inResult = -1
	inErrno  = -2
)

// record is what a run chose.
type record struct {
	// results are what undefined functions returned and wrote, by function, call by call.
	results map[*tree.Function][][]cell
	// missing are the results of functions that ended without a return.
	missing map[*tree.Function][]cell
	// locals are what uninitialised objects held, for each time that they were declared.
	locals   map[*tree.Declare][][]cell
	declared map[*tree.Declare]int
	// failures says of each allocation that may fail whether it does.
	failures []bool
	// allocated counts allocations by the address that they gave, and heap has what was in them.
	allocated map[uint64]int
	heap      map[int][]cell
	// blocks numbers the objects that nobody has seen before, by their addresses, and contents has what was in them.
	blocks   map[uint64]int
	contents [][]cell
	// externals are the initial values of extern objects.
	externals map[*tree.Object][]cell
	// parameters are those of the entry.
	parameters map[*tree.Object]interpret.Value
	// open are calls of functions without a body that have not returned yet, the innermost last.
	open []call
	// done are those that have returned, by the nodes that called them.
	done map[tree.Node][]call
	// errno is the object that errno is; nil if the program does not use it.
	errno *tree.Object
	// left says what cannot be forced on another program.
	left map[string]bool
}

type call struct {
	node      tree.Node
	function  *tree.Function
	number    int // among the calls of the function
	arguments []interpret.Value
}

func newRecord() *record {
	return &record{
		results: map[*tree.Function][][]cell{}, missing: map[*tree.Function][]cell{}, locals: map[*tree.Declare][][]cell{},
		declared: map[*tree.Declare]int{}, allocated: map[uint64]int{}, heap: map[int][]cell{}, blocks: map[uint64]int{},
		done: map[tree.Node][]call{}, externals: map[*tree.Object][]cell{}, parameters: map[*tree.Object]interpret.Value{}, left: map[string]bool{},
	}
}

// observe takes an event of the run.
func (r *record) observe(e interpret.Event) {
	if e.Library && (e.Kind == interpret.Called || e.Kind == interpret.Returned) {
		return // the harness has the library's definitions
	}
	switch e.Kind {
	case interpret.Declared:
		if d, ok := e.Node.(*tree.Declare); ok {
			r.declared[d]++
		}
	case interpret.Called:
		if kind := lib.Meaning(e.Function).Kind; e.Function.Instrumented && e.Function.Body == nil && (kind == lib.Ordinary || kind == lib.Havoc) {
			r.left["which values a function without a body gives to objects of the program"] = true
		}
		if special(e.Function) {
			r.results[e.Function] = append(r.results[e.Function], nil)
			r.open = append(r.open, call{e.Node, e.Function, len(r.results[e.Function]) - 1, e.Arguments})
		}
	case interpret.Returned:
		if special(e.Function) && len(r.open) > 0 {
			switch lib.Meaning(e.Function).Kind {
			case lib.Allocate:
				r.allocated[e.Value.Bits()] = len(r.allocated)
			case lib.Metadata:
				if t := e.Function.Type.Result; tree.Scalar(t) {
					r.result(cell{0, t, e.Value, inResult})
				}
			}
			last := r.open[len(r.open)-1]
			r.open = r.open[:len(r.open)-1]
			r.done[last.node] = append(r.done[last.node], last)
		}
	case interpret.Chosen:
		r.chosen(e)
	}
}

// special tells whether a function does not do what a body of it says.
func special(f *tree.Function) bool {
	return f.Body == nil || lib.Meaning(f).Kind != lib.Ordinary
}

func (r *record) chosen(e interpret.Event) {
	q := e.Question
	c := cell{q.Offset, q.Type, e.Value, inResult}
	if p, ok := q.Type.(*tree.Pointer); ok && e.Value.Bits() != 0 && e.Value.Text != "" && !(q.Asked == interpret.Uninitialised && isCode(p)) {
		if _, known := r.blocks[e.Value.Bits()]; !known {
			r.blocks[e.Value.Bits()] = len(r.contents)
			r.contents = append(r.contents, nil)
		}
	}
	switch q.Asked {
	case interpret.Result, interpret.Unspecified:
		n, ok := q.Node.(*tree.Call)
		switch {
		case !ok:
			r.left["a value that C leaves unspecified"] = true
		case len(r.open) > 0:
			r.result(c)
		case n.Function != nil && n.Function.Body != nil:
			r.missing[n.Function] = append(r.missing[n.Function], c)
		case q.Function != nil && q.Function.Body != nil:
			r.missing[q.Function] = append(r.missing[q.Function], c)
		}
	case interpret.Written:
		if r.written(q, c) {
			return
		}
		r.left["what a library function writes"] = true
	case interpret.Uninitialised:
		switch n := q.Node.(type) {
		case *tree.Declare:
			at := max(r.declared[n]-1, 0)
			for len(r.locals[n]) <= at {
				r.locals[n] = append(r.locals[n], nil)
			}
			r.locals[n][at] = append(r.locals[n][at], c)
		case *tree.Call:
			if i, ok := r.allocated[q.Base]; ok {
				r.heap[i] = append(r.heap[i], c)
			}
		default:
			r.left["what an uninitialised parameter holds"] = true
		}
	case interpret.Contents:
		if i, ok := r.blocks[q.Base]; ok {
			r.contents[i] = append(r.contents[i], c)
		}
	case interpret.External:
		if symbol, ok := strings.CutSuffix(q.Object.Name, ".linked"); ok {
			if e.Value.Bits() == 0 {
				r.left["that "+symbol+", which is weak, is not defined"] = true
			}
			return
		}
		r.externals[q.Object] = append(r.externals[q.Object], c)
	case interpret.Argument:
		if q.Base == 0 {
			r.parameters[q.Object] = e.Value
		} else if e.Value.Bits() != 0 {
			r.left["the characters of main's arguments"] = true
		}
	case interpret.Assembly:
		r.left["what an asm statement writes"] = true
	case interpret.Failure:
		r.failures = append(r.failures, e.Value.Bits() != 0)
	}
}

// written notes what a function wrote, if it is behind one of the function's arguments, or errno. What a function without a body
// writes is asked for when it is read: by then the function may have returned.
func (r *record) written(q *interpret.Question, c cell) bool {
	var calls []call
	if len(r.open) > 0 && r.open[len(r.open)-1].node == q.Node {
		calls = r.open[len(r.open)-1:]
	} else {
		calls = r.done[q.Node]
	}
	for k := len(calls) - 1; k >= 0; k-- {
		f, nearest := calls[k].function, uint64(0)
		if q.Object != nil && q.Object == r.errno {
			switch lib.Meaning(f).Kind {
			case lib.Math, lib.Memory, lib.Allocate:
				return false // C's library defines them
			}
			c.argument = inErrno
		} else {
			address := q.Base + uint64(q.Offset)
			for i, a := range calls[k].arguments {
				if x := a.Bits(); x <= address && x >= q.Base && x >= nearest && x != 0 {
					nearest, c.argument, c.offset = x, i, int64(address-x)
				}
			}
		}
		if c.argument != inResult {
			r.results[f][calls[k].number] = append(r.results[f][calls[k].number], c)
			return true
		}
	}
	return false
}

// isCode tells whether a pointer is one to a function.
func isCode(p *tree.Pointer) bool {
	_, ok := p.Elem.(*tree.FunctionType)
	return ok
}

// result adds to what the innermost open call does.
func (r *record) result(c cell) {
	f := r.open[len(r.open)-1].function
	calls := r.results[f]
	calls[len(calls)-1] = append(calls[len(calls)-1], c)
}
