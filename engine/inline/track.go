package inline

import (
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// The values of inline.track that are no names.
const (
	trackAll   = "all"
	trackNone  = "none"
	trackQuery = "query"
)

// tracking is the present variable abstraction: which groups of arguments are passed from callers to callees. The others
// are havocked (Fig. 3 of the paper): a callee's untracked argument is a variable of its own.
type tracking struct {
	*groups
	// on says of each group whether it is tracked. What is tracked stays so.
	on []bool
}

// abstract starts variable abstraction as inline.track says; with all it stays off.
func (pr *program) abstract(sys *chc.System, track string) {
	words := strings.FieldsFunc(track, func(c rune) bool { return c == ',' || c == ' ' })
	if slices.Contains(words, trackAll) {
		return
	}
	g := newGroups(sys)
	pr.tracking = &tracking{groups: g, on: make([]bool, len(g.names))}
	for _, p := range pr.preds {
		if p.Source != nil {
			p.groups = g.of[p.Source.ID]
		}
	}
	if slices.Contains(words, trackQuery) {
		for _, k := range g.queried(sys) {
			pr.tracking.on[k] = true
		}
	}
	for k, names := range g.names {
		if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(words, name) }) {
			pr.tracking.on[k] = true
		}
	}
	pr.resliced()
}

// tracks reports whether callers pass the i-th argument to p.
func (pr *program) tracks(p *predicate, i int) bool {
	return pr.tracking == nil || pr.tracking.on[p.groups[i]]
}

// count is the number of tracked groups.
func (t *tracking) count() int {
	n := 0
	for _, on := range t.on {
		if on {
			n++
		}
	}
	return n
}

// namesOf are the first names of groups.
func (t *tracking) namesOf(groups []int) []string {
	out := make([]string, len(groups))
	for i, k := range groups {
		out[i] = t.names[k][0]
	}
	return out
}

// resliced brings the rules' formulas up to the tracked groups, and returns the rules of which more is left than before.
func (pr *program) resliced() map[*rule.Rule]bool {
	changed := map[*rule.Rule]bool{}
	for _, p := range pr.preds {
		for _, r := range p.Rules {
			kept := pr.slice(p, r, func(k int) bool { return pr.tracking.on[k] })
			if before, known := pr.kept[r]; !known || !slices.Equal(kept, before) {
				changed[r] = true
			}
			pr.kept[r] = kept
		}
	}
	return changed
}

// received is what a callee takes for arguments: the caller's where they are tracked, variables of its own elsewhere.
func (pr *program) received(p *predicate, args []*term.Term) []*term.Term {
	if pr.tracking == nil {
		return args
	}
	out := slices.Clone(args)
	for i, v := range p.Params {
		if !pr.tracks(p, i) {
			out[i] = pr.pool.Fresh(v.Name(), v.Sort())
		}
	}
	return out
}

// track adds groups to those that are tracked. The equations of the arguments of what was inlined before, and what its rules
// say about them, are asserted. Nothing that was asserted is taken back, since less is possible now.
func (t *tree) track(added []int) {
	fresh := map[int]bool{}
	for _, k := range added {
		t.tracking.on[k] = true
		fresh[k] = true
	}
	changed := t.resliced()
	t.eachNode(func(n *node) {
		for i, r := range n.pred.Rules {
			if selector := n.selectors[i]; selector != nil && changed[r] {
				n.inst.formulas[i] = t.formula(r, n.inst.values)
				t.assert(t.pool.Implies(selector, n.inst.formulas[i]))
			}
		}
		for _, s := range n.sites {
			if s == nil || s.child == nil {
				continue
			}
			for _, e := range t.equationsOf(s) {
				if fresh[e.group] {
					t.assert(t.pool.Implies(s.edge, e.formula(t.pool)))
				}
			}
		}
	})
}

// eachNode visits the nodes once each, callers before callees.
func (t *tree) eachNode(visit func(*node)) {
	seen := map[*node]bool{t.root: true}
	for queue := []*node{t.root}; len(queue) > 0; queue = queue[1:] {
		visit(queue[0])
		for _, s := range queue[0].sites {
			if s != nil && s.child != nil && !seen[s.child] {
				seen[s.child] = true
				queue = append(queue, s.child)
			}
		}
	}
}

// equation says that an argument of an inlined call is passed; with its group, which is 0 when nothing is abstracted.
type equation struct {
	group      int
	arg, param *term.Term
}

func (e equation) formula(p *term.Pool) *term.Term { return p.Eq(e.arg, e.param) }

// equationsOf has the equations of an inlined site, but for those of arguments that the callee has for parameters.
func (t *tree) equationsOf(s *site) []equation {
	var out []equation
	for i, a := range s.args {
		if x := s.child.inst.args[i]; x != a {
			e := equation{arg: a, param: x}
			if t.tracking != nil {
				e.group = s.pred.groups[i]
			}
			out = append(out, e)
		}
	}
	return out
}
