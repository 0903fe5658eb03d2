package interpret

import (
	"math"
	"math/rand/v2"
	"slices"

	"hornbeam/frontend/c/tree"
)

// Asked is what a question is about.
type Asked uint8

// What questions are about.
const (
	// Result is what an undefined function returns; the site is the *tree.Call.
	Result Asked = iota
	// Uninitialised is what an object holds that was read before anything was written: an automatic object, with its
	// *tree.Declare as the site, or, with the *tree.Call, what malloc or its likes made.
	Uninitialised
	// External is the initial value of an object that is declared extern and nowhere defined; it has no site.
	External
	// Contents is what memory holds whose address is an answer; the site is that of the answer.
	Contents
	// Unspecified is a value that C leaves open: that of a function that ended without a return, of printf, of padding.
	Unspecified
	// Written is what a library function such as scanf writes.
	Written
	// Argument is argc, where less than 1 stands for 1, or a character of an argument of main, or a parameter of another entry.
	Argument
	// Assembly is what an asm statement writes.
	Assembly
	// Failure is whether an allocation fails: it does if the answer is not 0. It is asked only with Options.MayFail.
	Failure
)

// String is what it is about, in a word.
func (a Asked) String() string {
	return [...]string{"result", "uninitialised", "external", "contents", "unspecified", "written", "argument", "assembly", "failure"}[a]
}

// Site is what questions of one kind have in common. It is comparable.
type Site struct {
	Asked Asked
	// Node is where the question comes from; nil for External and Argument.
	Node tree.Node
	// Object is the object whose value is asked for; nil for results.
	Object *tree.Object
}

// Question asks for a value that a program leaves open.
type Question struct {
	Site
	// Type is the type of the value, a scalar.
	Type tree.Type
	// Function is the undefined function of a Result.
	Function *tree.Function
	// Offset is where in the object the value is, in bytes; in the result, if that is a struct.
	Offset int64
	// Base is the address of the object, as events of the run have it; 0 if the object is only used by its name.
	Base uint64
	// Ranged says that a number is at least Low and at most High, NotNull that a pointer is not null. An answer that is not so
	// is taken for one that is.
	Ranged    bool
	Low, High int64
	NotNull   bool
	// open says that the answer is put where copies of it are known.
	open bool
	// Occurrence counts the questions of the site in the run, from 0, and Index those of the run.
	Occurrence, Index int
}

// Choices answers what a program leaves open. An error ends the run as Undetermined.
type Choices interface {
	Choose(q Question) (Value, error)
}

// Script answers with given values, for each site those of its queue in turn. A run that a script was recorded of
// is repeated exactly by it.
type Script struct {
	// Queues has the answers of each site.
	Queues map[Site][]Value
	// Otherwise answers where a queue is used up, or missing; nil stands for zeros.
	Otherwise Choices
}

// NewScript is a script without answers.
func NewScript() *Script { return &Script{Queues: map[Site][]Value{}} }

// Add appends an answer to the site's queue.
func (s *Script) Add(site Site, v Value) { s.Queues[site] = append(s.Queues[site], v) }

// Choose takes the answer from the site's queue.
func (s *Script) Choose(q Question) (Value, error) {
	if queue := s.Queues[q.Site]; q.Occurrence < len(queue) {
		return queue[q.Occurrence], nil
	}
	if s.Otherwise != nil {
		return s.Otherwise.Choose(q)
	}
	return Int(0), nil
}

// Recorder passes questions on, and keeps the answers: its Script repeats the run.
type Recorder struct {
	Choices Choices
	Script  *Script
}

// Choose asks the choices behind it.
func (r *Recorder) Choose(q Question) (Value, error) {
	v, err := r.Choices.Choose(q)
	if err == nil {
		if r.Script == nil {
			r.Script = NewScript()
		}
		r.Script.Add(q.Site, v)
	}
	return v, err
}

// Random answers by chance. Small values are likely, and so are those at the borders of a type and those that the program
// has as constants, with their neighbours.
type Random struct {
	r         *rand.Rand
	constants []int64
	// functions are what an uninitialised pointer to a function may be; nil if it is only null.
	functions func(*tree.FunctionType) []uint64
	habit     int
	same      map[Site]Value
}

// NewRandom is random choices by the seed; constants, in any order, are made likely.
func NewRandom(seed uint64, constants []int64) *Random {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	// A run has a habit, as programs often need many values of one kind: all small, all equal, hardly any that is not 0.
	return &Random{r: r, constants: constants, habit: r.IntN(10), same: map[Site]Value{}}
}

// Choose is a random value.
func (r *Random) Choose(q Question) (Value, error) {
	if r.habit == 0 || r.habit == 1 && r.r.IntN(8) != 0 {
		if v, ok := r.same[q.Site]; ok {
			return v, nil
		}
	}
	v := r.value(q)
	if r.habit <= 1 {
		r.same[q.Site] = v
	}
	return v, nil
}

func (r *Random) value(q Question) Value {
	s := shapeOf(q.Type)
	if q.Asked == Argument && q.Offset == 0 && s.bits == 32 {
		return Int(1 + r.r.Int64N(3))
	}
	// Programs that count on all answers being alike are common.
	if (r.habit == 5 || r.habit == 6) && r.r.IntN(8) != 0 && s.class != pointer {
		return Int(int64(r.habit - 5))
	}
	switch {
	case s.class == pointer:
		if (q.Asked == Result || q.Asked == External || q.Asked == Contents || q.Asked == Written || q.Asked == Unspecified && q.Function != nil) && r.r.IntN(4) != 0 {
			return Fresh()
		}
		if f, ok := q.Type.(*tree.Pointer).Elem.(*tree.FunctionType); ok && q.Asked == Uninitialised && r.functions != nil && r.r.IntN(4) != 0 {
			if fs := r.functions(f); len(fs) > 0 {
				return Unsigned(fs[r.r.IntN(len(fs))])
			}
		}
		return Int(0)
	case s.class == boolean:
		return Int(r.r.Int64N(2))
	case s.floating():
		switch r.r.IntN(8) {
		case 0:
			return Real([]float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64}[r.r.IntN(6)])
		case 1, 2:
			return Real(r.r.NormFloat64() * 1000)
		case 3:
			return Real(math.Float64frombits(r.r.Uint64()))
		}
		return Real(float64(r.integer(shape{class: integer, bits: 32, signed: true})))
	}
	return Int(r.integer(s))
}

func (r *Random) integer(s shape) int64 {
	way := r.r.IntN(16)
	switch r.habit {
	case 2, 3:
		way = min(way, 7)
	case 4:
		way = 5 + way%6
	}
	switch {
	case way < 3:
		return r.r.Int64N(3) - r.r.Int64N(2)
	case way < 6:
		return r.r.Int64N(16) - 3
	case way < 8:
		return r.r.Int64N(128) - 16
	case way < 12 && len(r.constants) > 0:
		return r.constants[r.r.IntN(len(r.constants))] + r.r.Int64N(3) - 1
	case way < 13:
		if s.bits == 0 || s.bits > 64 {
			return 0
		}
		border := int64(1) << (s.bits - 1)
		return border - r.r.Int64N(3) + r.r.Int64N(2)
	case way < 14:
		return 1<<r.r.Int64N(63) - r.r.Int64N(2)
	}
	return int64(r.r.Uint64())
}

// choose asks a question and makes a register's value of the answer.
func (m *machine) choose(q Question) uint64 {
	if m.given == nil {
		if m.asked == nil {
			m.asked = map[Site]int{}
		}
		q.Occurrence = m.asked[q.Site]
		m.asked[q.Site]++
	} else {
		m.searched += inputWork
	}
	q.Index = m.questions
	m.questions++
	v, err := m.choices.Choose(q)
	if err != nil {
		m.undetermined(q.Node, "no value for a choice: %v", err)
	}
	s := shapeOf(q.Type)
	var bits uint64
	switch {
	case s.class == pointer && (v.Fresh || q.NotNull && v.bits == 0):
		bits = m.external(q)
	case s.whole():
		if v.floating {
			m.undetermined(q.Node, "a floating value was chosen for a %s", q.Type)
		}
		bits = s.wrap(q.within(s.wrap(v.bits)))
	case s.floating():
		x := v.Float()
		if s.class == float32Class {
			x = float64(float32(x))
		}
		bits = math.Float64bits(x)
	default:
		m.undetermined(q.Node, "a %s has to be chosen", q.Type)
	}
	if m.given != nil {
		m.answered(bits, q.open)
	}
	if m.observe != nil {
		shown := m.show(q.Type, bits)
		target := ""
		if o := q.Object; o != nil && o.Name != "" {
			if path, ok := pathTo(o.Type, q.Offset, q.Type, nil); ok {
				target = o.Name + path
			}
		}
		argument := 0
		if q.Asked == Argument && q.Base != 0 {
			argument = slices.Index(m.texts, q.Base) + 1
		}
		m.tell(Event{
			Kind: Chosen, Node: q.Node, Object: q.Object, Question: &q, Target: target, Value: shown, Offset: q.Offset, Type: q.Type, Base: q.Base, Argument: argument,
		})
	}
	return bits
}
