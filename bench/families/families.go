package families

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
)

// Parameters are the size of an instance. A family that has no use for one ignores it.
type Parameters struct {
	// Size is the length of the chain of calls, or the number of steps, that a refutation or a proof needs, at least 1; of a C
	// program the number of elements of its arrays, at least 4, as some of the faults need that many to show.
	Size int
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

// The languages of instances, as the endings of their files.
const (
	Horn = "smt2"
	C    = "c"
)

// Family is one kind of system or program.
type Family struct {
	Name string
	// Doc says, in one sentence, what an instance models, and why it is hard or easy.
	Doc string
	// Language is [Horn] or [C].
	Language string
	// Usual has the parameters other than the size that measurements use.
	Usual Parameters
	// Grows says how the number of calls grows that inlining everything up to the size makes; empty for C programs.
	Grows string
	// write writes the clauses of a Horn instance, program is the source of a C one on arrays, text makes the text of any other C one.
	write   func(*script, Parameters)
	program string
	text    func(Parameters) string
}

// All returns the families: those of clauses in the order of the documentation, and those of C programs by name.
func All() []Family {
	all := []Family{callTree, dispatch, locks, recursion, polling, nested, phases, loop}
	for i := range all {
		all[i].Language = Horn
	}
	heap := heap
	heap.Language = C
	return append(append(all, heap), programs()...)
}

// Named returns the family of that name.
func Named(name string) (Family, error) {
	all := All()
	i := slices.IndexFunc(all, func(f Family) bool { return f.Name == name })
	if i < 0 {
		return Family{}, fmt.Errorf("no family is called %q", name)
	}
	return all[i], nil
}

// Verdict is the answer that an instance has: sat or safe, with the fault unsat or unsafe.
func (f Family) Verdict(bug bool) string {
	switch {
	case f.Language == C && bug:
		return "unsafe"
	case f.Language == C:
		return "safe"
	case bug:
		return "unsat"
	}
	return "sat"
}

// Sized returns the family's usual parameters at a size, without the fault or with it.
func (f Family) Sized(size int, bug bool) Parameters {
	p := f.Usual
	p.Size, p.Bug = size, bug
	return p
}

// Write writes an instance, as an SMT-LIB Horn script or a C program, with its verdict in a comment. Errors are the writer's,
// or say which parameter is out of range.
func (f Family) Write(w io.Writer, p Parameters) error {
	var text string
	switch {
	case f.program != "" && p.Size < 4:
		return fmt.Errorf("family %s: the size must be at least 4, and not %d", f.Name, p.Size)
	case f.program != "":
		text = f.source(p)
	case p.Size < 1 || p.Width < 1 || p.Relevant < 1 || p.Irrelevant < 0:
		return fmt.Errorf("family %s: size, width and relevant variables must be at least 1, irrelevant ones 0: %+v", f.Name, p)
	case f.text != nil:
		text = fmt.Sprintf("// %s\n// depth %d, %d fields, %d objects that are counted in and %d others\n// verdict: %s\n%s",
			f.Doc, p.Size, p.Width, p.Relevant, p.Irrelevant, f.Verdict(p.Bug), f.text(p))
	default:
		text = f.clauses(p)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("write an instance of the family %s: %w", f.Name, err)
	}
	return nil
}

// clauses is the text of a Horn instance.
func (f Family) clauses(p Parameters) string {
	s := &script{random: rand.New(rand.NewPCG(p.Seed, 0x686f726e))}
	s.comment(f.Doc)
	s.comment(fmt.Sprintf("depth %d, width %d, %d relevant and %d irrelevant variables, seed %d", p.Size, p.Width, p.Relevant, p.Irrelevant, p.Seed))
	s.comment("verdict: " + f.Verdict(p.Bug))
	s.line("(set-logic HORN)")
	f.write(s, p)
	s.line("(check-sat)")
	return s.text.String()
}
