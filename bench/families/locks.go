package families

import (
	"fmt"
	"slices"
)

// locks is a protocol: a lock is free (0) or held (1); acquiring one that is held, or releasing one that is free, is
// misuse (2), for good. Procedures in a chain acquire a lock, have a service done, release it, and call the next; on a
// fast path they leave the service out. In the end every lock must be free. The fault is a fast path that does not
// release. Acquiring and releasing has the lock only; a service calls the next level's services several times, or returns
// at once, and is not given the locks; the chain passes all variables on. The irrelevant variables are counted up and
// compared, and choose the path.
var locks = Family{
	Name:  "locks",
	Doc:   "Locks that a chain of procedures acquires and releases, calling services in between that don't have the locks.",
	Usual: Parameters{Width: 2, Relevant: 2, Irrelevant: 2, Seed: 1},
	Grows: "width^depth",
	write: func(s *script, p Parameters) {
		l := lockScript{s, p}
		for j := range p.Relevant {
			s.declare(acquire(j), 2)
			s.declare(release(j), 2)
		}
		for i := range p.Size + 1 {
			s.declare(work(i), 2*l.size())
			s.declare(service(i), 2*(p.Irrelevant+1))
		}
		for j := range p.Relevant {
			l.transition(acquire(j), 0, 1)
			l.transition(release(j), 1, 0)
		}
		fault := s.random.IntN(p.Size)
		for i := range p.Size {
			l.work(i, p.Bug && i == fault)
			l.service(i)
		}
		state := l.state("a")
		s.clause(state, apply(work(p.Size), joined(state, state)...))
		request := joined([]string{"r"}, l.others(state))
		s.clause(request, apply(service(p.Size), joined(request, request)...))
		l.query()
	},
}

func acquire(lock int) string { return fmt.Sprintf("acquire%d", lock) }
func release(lock int) string { return fmt.Sprintf("release%d", lock) }
func work(i int) string       { return fmt.Sprintf("work%d", i) }
func service(i int) string    { return fmt.Sprintf("service%d", i) }

// lockScript writes the clauses of the protocol. A state is the locks, and then the irrelevant variables.
type lockScript struct {
	*script
	Parameters
}

func (l lockScript) size() int { return l.Relevant + l.Irrelevant }

func (l lockScript) state(prefix string) []string { return numbered(prefix, l.size()) }

// others are the irrelevant variables of a state.
func (l lockScript) others(state []string) []string { return state[l.Relevant:] }

// counted is a state in which one irrelevant variable, any, is one more.
func (l lockScript) counted(state []string) []string {
	if l.Irrelevant == 0 {
		return state
	}
	state = slices.Clone(state)
	i := l.Relevant + l.random.IntN(l.Irrelevant)
	state[i] = apply("+", state[i], "1")
	return state
}

// guards compare two irrelevant variables of a state: one formula for each of two paths.
func (l lockScript) guards(state []string) (slow, fast []string) {
	if l.Irrelevant < 2 {
		return nil, nil
	}
	order := l.random.Perm(l.Irrelevant)
	x, y := l.others(state)[order[0]], l.others(state)[order[1]]
	return []string{apply("<=", x, y)}, []string{apply(">", x, y)}
}

// transition lets a lock go from one state to the other; from any else it is misused.
func (l lockScript) transition(name string, from, to int) {
	l.clause([]string{"a", "b"}, apply(name, "a", "b"), fmt.Sprintf("(= b (ite (= a %d) %d 2))", from, to))
}

// with is a state with one lock in another state.
func (l lockScript) with(state []string, lock int, now string) []string {
	state = slices.Clone(state)
	state[lock] = now
	return state
}

// work writes the two paths of a procedure; the fault is that the fast one does not release.
func (l lockScript) work(i int, fault bool) {
	lock := i % l.Relevant
	begin, end := l.state("a"), l.state("b")
	slow, fast := l.guards(begin)
	head := apply(work(i), joined(begin, end)...)
	served := l.others(l.state("c"))
	after := joined(l.with(begin, lock, "released")[:l.Relevant], served)
	l.clause(joined(begin, end, served, []string{"held", "released", "r", "s"}), head, joined(slow, []string{
		apply(acquire(lock), begin[lock], "held"),
		apply(service(i), joined([]string{"r"}, l.others(begin), []string{"s"}, served)...),
		apply(release(lock), "held", "released"),
		apply(work(i+1), joined(l.counted(after), end)...),
	})...)
	body := joined(fast, []string{apply(acquire(lock), begin[lock], "held")})
	variables := joined(begin, end, []string{"held"})
	last := "held"
	if !fault {
		body = append(body, apply(release(lock), "held", "released"))
		variables = append(variables, "released")
		last = "released"
	}
	l.clause(variables, head, append(body, apply(work(i+1), joined(l.counted(l.with(begin, lock, last)), end)...))...)
}

// service writes a service, which has a request and the irrelevant variables.
func (l lockScript) service(i int) {
	begin := l.others(l.state("a"))
	variables := joined([]string{"r"}, begin)
	body := []string{"(> r 0)"}
	now := begin
	for k := range l.Width {
		next := l.others(l.state(fmt.Sprintf("b%d-", k)))
		result := fmt.Sprintf("s%d", k)
		variables = joined(variables, []string{result}, next)
		request := "(- r 1)"
		if k > 0 {
			request = fmt.Sprintf("s%d", k-1)
		}
		body = append(body, apply(service(i+1), joined([]string{request}, now, []string{result}, next)...))
		now = next
	}
	last := fmt.Sprintf("s%d", l.Width-1)
	changed := joined(make([]string, l.Relevant), now)
	l.clause(variables, apply(service(i), joined([]string{"r"}, begin, []string{last}, l.others(l.counted(changed)))...), body...)
	same := joined([]string{"r"}, begin)
	l.clause(same, apply(service(i), joined(same, same)...), "(<= r 0)")
}

// query asks for a run from free locks to one that is not free.
func (l lockScript) query() {
	start, end := l.state("a"), l.state("b")
	var body, notFree []string
	for j := range l.Relevant {
		body = append(body, apply("=", start[j], "0"))
		notFree = append(notFree, fmt.Sprintf("(not (= %s 0))", end[j]))
	}
	l.clause(joined(start, end), "false", append(body, apply(work(0), joined(start, end)...), connect("or", notFree))...)
}
