package simplify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// Merge returns the pass "merge".
func Merge() transform.Pass {
	return transform.Pass{
		Name:   "merge",
		Repeat: true,
		Doc:    "Joins clauses with the same head and body predicates to one clause whose constraint is a disjunction.",
		Run:    mergeClauses,
	}
}

// mergeClauses joins parallel clauses. The steps of a joined clause are steps of the first old clause whose disjunct
// holds.
func mergeClauses(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	groups := map[string][]*chc.Clause{}
	keys := make([]string, len(sys.Clauses))
	for i, c := range sys.Clauses {
		keys[i] = predicateKey(c)
		groups[keys[i]] = append(groups[keys[i]], c)
	}
	if len(groups) == len(sys.Clauses) {
		return sys, nil, nil
	}
	var clauses []*chc.Clause
	var origins [][]transform.Origin
	merged := false
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		group := groups[keys[i]]
		if group == nil {
			continue
		}
		delete(groups, keys[i])
		for len(group) > 0 {
			n := batch(group)
			if n == 1 {
				clauses = append(clauses, group[0])
				origins = append(origins, []transform.Origin{{Clause: group[0]}})
			} else {
				merged = true
				m := &merger{pool: sys.Pool}
				joined := m.join(group[:n])
				joined.Pos, joined.Name = c.Pos, c.Name
				clauses = append(clauses, joined)
				origins = append(origins, m.origins)
			}
			group = group[n:]
		}
	}
	if !merged {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: transform.Identity(next), Origins: origins}, nil
}

// batch returns how many of the clauses at the front of the group are joined, at least one.
func batch(group []*chc.Clause) int {
	size := 0
	for n, c := range group {
		size += c.Constraint.Size()
		if n > 0 && size > maxMerged {
			return n
		}
	}
	return len(group)
}

// predicateKey names the head's predicate and the body's, in the order of their IDs.
func predicateKey(c *chc.Clause) string {
	var b strings.Builder
	if c.Head != nil {
		fmt.Fprint(&b, c.Head.Pred.ID)
	}
	for _, j := range bodyOrder(c) {
		fmt.Fprint(&b, ",", c.Body[j].Pred.ID)
	}
	return b.String()
}

// bodyOrder returns the indices of c's body atoms ordered by predicate.
func bodyOrder(c *chc.Clause) []int {
	order := make([]int, len(c.Body))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Body[a].Pred.ID, c.Body[b].Pred.ID) })
	return order
}

// merger joins clauses of one predicateKey.
type merger struct {
	pool    *term.Pool
	body    []chc.App
	head    *chc.App
	origins []transform.Origin
}

// join makes one clause over variables as arguments: those of the first clause where they can stand for its arguments,
// fresh ones elsewhere. Other variables are renamed apart.
func (m *merger) join(group []*chc.Clause) *chc.Clause {
	first := group[0]
	taken := map[*term.Term]bool{}
	canonical := func(a chc.App) chc.App {
		args := make([]*term.Term, len(a.Args))
		for i, t := range a.Args {
			if !t.IsVar() || taken[t] {
				t = m.pool.Fresh("m", t.Sort())
			}
			taken[t] = true
			args[i] = t
		}
		return chc.App{Pred: a.Pred, Args: args}
	}
	for _, j := range bodyOrder(first) {
		m.body = append(m.body, canonical(first.Body[j]))
	}
	if first.Head != nil {
		h := canonical(*first.Head)
		m.head = &h
	}
	disjuncts := make([]*term.Term, len(group))
	for i, c := range group {
		disjuncts[i] = m.disjunct(c, i == 0)
	}
	return &chc.Clause{Body: m.body, Head: m.head, Constraint: factor(m.pool, disjuncts)}
}

// disjunct expresses c's constraint and arguments over the joined clause's variables and records c's origin.
func (m *merger) disjunct(c *chc.Clause, keepNames bool) *term.Term {
	rename := map[*term.Term]*term.Term{}
	atoms := make([]int, len(c.Body))
	type pair struct{ arg, canon *term.Term }
	var pairs []pair
	bind := func(a, canon chc.App) {
		for i, t := range a.Args {
			if _, known := rename[t]; t.IsVar() && !known {
				rename[t] = canon.Args[i]
			} else {
				pairs = append(pairs, pair{t, canon.Args[i]})
			}
		}
	}
	for i, j := range bodyOrder(c) {
		atoms[j] = i
		bind(c.Body[j], m.body[i])
	}
	if c.Head != nil {
		bind(*c.Head, *m.head)
	}
	for _, v := range c.Vars() {
		if _, known := rename[v]; !known {
			rename[v] = v
			if !keepNames {
				rename[v] = m.pool.Fresh(v.Name(), v.Sort())
			}
		}
	}
	sub := m.pool.NewSubstitution(rename)
	parts := []*term.Term{sub.Apply(c.Constraint)}
	for _, p := range pairs {
		parts = append(parts, m.pool.Eq(sub.Apply(p.arg), p.canon))
	}
	m.origins = append(m.origins, transform.Origin{Clause: c, Atoms: atoms, Rename: rename})
	return m.pool.And(parts...)
}

// factor returns the disjunction of fs with their common conjuncts outside.
func factor(pool *term.Pool, fs []*term.Term) *term.Term {
	count := map[*term.Term]int{}
	for _, f := range fs {
		for _, c := range term.Conjuncts(f) {
			count[c]++
		}
	}
	var common []*term.Term
	for _, c := range term.Conjuncts(fs[0]) {
		if count[c] == len(fs) {
			common = append(common, c)
		}
	}
	rest := make([]*term.Term, len(fs))
	for i, f := range fs {
		own := slices.DeleteFunc(slices.Clone(term.Conjuncts(f)), func(c *term.Term) bool { return count[c] == len(fs) })
		rest[i] = pool.And(own...)
	}
	return pool.And(append(common, pool.Or(rest...))...)
}
