package families

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
)

// Parameters are the size of an instance. A family that has no use for one ignores it.
type Parameters struct {
	// Depth is the length of the chain of calls, or the number of steps, that a refutation or a proof needs; at least 1.
	Depth int
	// Width is the number of calls in a body beside, or with, the one that matters, or the iterations of an inner loop; at
	// least 1.
	Width int
	// Relevant and Irrelevant are the numbers of global variables that the property depends on, and does not depend on.
	Relevant, Irrelevant int
	// Seed chooses where the calls that matter and the fault are.
	Seed uint64
	// Bug puts the fault in.
	Bug bool
}

// Family is one kind of system.
type Family struct {
	Name string
	// Doc says, in one sentence, what an instance models, and why it is hard or easy.
	Doc string
	// Usual has the parameters other than the depth that measurements use.
	Usual Parameters
	// Grows says how the number of calls grows that inlining everything up to the depth makes.
	Grows string
	write func(*script, Parameters)
}

// All returns the families, in the order of the documentation.
func All() []Family {
	return slices.Clone([]Family{callTree, dispatch, locks, recursion, polling, nested, phases, loop})
}

// Named returns the family of that name.
func Named(name string) (Family, error) {
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
	}
	return Family{}, fmt.Errorf("no family is called %q", name)
}

// Verdict is what a Horn solver has to answer: unsat if there is a bug.
func (p Parameters) Verdict() string {
	if p.Bug {
		return "unsat"
	}
	return "sat"
}

// Sized returns the family's usual parameters at a depth, on the safe side or that with the bug.
func (f Family) Sized(depth int, bug bool) Parameters {
	p := f.Usual
	p.Depth, p.Bug = depth, bug
	return p
}

// Write writes an instance as an SMT-LIB Horn script. Errors are the writer's, or say which parameter is out of range.
func (f Family) Write(w io.Writer, p Parameters) error {
	if p.Depth < 1 || p.Width < 1 || p.Relevant < 1 || p.Irrelevant < 0 {
		return fmt.Errorf("family %s: depth, width and relevant variables must be at least 1, irrelevant ones 0: %+v", f.Name, p)
	}
	s := &script{random: rand.New(rand.NewPCG(p.Seed, 0x686f726e))}
	s.comment(f.Doc)
	s.comment(fmt.Sprintf("depth %d, width %d, %d relevant and %d irrelevant variables, seed %d", p.Depth, p.Width, p.Relevant, p.Irrelevant, p.Seed))
	s.comment("verdict: " + p.Verdict())
	s.line("(set-logic HORN)")
	f.write(s, p)
	s.line("(check-sat)")
	if _, err := io.WriteString(w, s.text.String()); err != nil {
		return fmt.Errorf("write an instance of the family %s: %w", f.Name, err)
	}
	return nil
}

// Locks returns the family whose variables, relevant and irrelevant, are parameters.
func Locks() Family { return locks }
