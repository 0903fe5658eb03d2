package inline

import (
	"fmt"
	"math/bits"
	"slices"
)

// sharing lets call sites share one inlined call where no derivation makes both calls: the inlined program is a directed
// acyclic graph then. Two sites are exclusive when wherever the ways up from them meet, the calls through which they come
// are not both in the body of one rule. For linear clauses that makes the unrolling a chain of layers.
//
// Derivations use every node at most once, so that its one set of variables is enough for them.
type sharing struct {
	// byKey has the nodes that may be shared, by predicate and costs.
	byKey map[string][]*node
	// sites are those that have an index, all but the calls of facts.
	sites []*site
	// merges counts the sites that share a node that was there.
	merges int
}

// startSharing makes sites that are inlined from now on share their callees.
func (t *tree) startSharing() {
	t.sharing = &sharing{byKey: map[string][]*node{}}
	t.sharing.register(t.root)
}

// shareable reports whether a site may come to share its callee. Facts are as cheap as the equations would be; and what is
// called in one place only, among those that have the same key, is shared when its caller is.
func (sh *sharing) shareable(s *site) bool {
	if sh == nil || s.pred.flat || len(sh.sites) >= mostShared {
		return false
	}
	if s.caller.pred.component == s.pred.component {
		return s.pred.inner > 1
	}
	return s.pred.outer > 1
}

// key says in what nodes must be alike to be shared: the predicate, the constants that callers pass, and the number of
// occurrences on the stack of the predicates that can occur on it again below, so that what is below costs the same
// whatever the caller.
func (n *node) key() string {
	counts := map[int]int{}
	for m := n; m.site != nil && m.pred.component == n.pred.component; m = m.site.caller {
		counts[m.pred.ID]++
	}
	key := fmt.Sprint(n.pred.ID)
	for _, index := range sortedKeys(counts) {
		key += fmt.Sprintf(" %d:%d", index, counts[index])
	}
	for i, a := range n.site.args {
		if a.IsValue() {
			key += fmt.Sprintf(" %d=%s", i, a)
		}
	}
	return key
}

func sortedKeys(m map[int]int) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// register records, for the sites of a new node, which has one caller, which others may be used together with them: what may be
// with the caller's site, that site, and the sites that a usable rule has in its body too.
func (sh *sharing) register(n *node) {
	if len(sh.sites) >= mostShared {
		return
	}
	var above set
	if n.site != nil {
		above = n.site.together.with(n.site.index)
	}
	for _, s := range n.sites {
		if s == nil || s.impossible || s.pred.flat {
			continue
		}
		s.index = len(sh.sites)
		s.together = slices.Clone(above)
		sh.sites = append(sh.sites, s)
	}
	for r, rule := range n.pred.Rules {
		if n.selectors[r] == nil {
			continue
		}
		for _, i := range rule.Slots {
			for _, j := range rule.Slots {
				if a, b := n.sites[i], n.sites[j]; a != b && sh.has(a) && sh.has(b) {
					a.together.add(b.index)
				}
			}
		}
	}
	for _, s := range n.sites {
		if sh.has(s) {
			for i := range s.together.all() {
				sh.sites[i].together.add(s.index)
			}
		}
	}
}

// has reports whether it is known what may be used together with the site.
func (sh *sharing) has(s *site) bool {
	return s != nil && s.index < len(sh.sites) && sh.sites[s.index] == s
}

// find returns a node of the key that the site, which is no part of the graph below it, may share: no site that leads to
// the node or to what it calls may be used together with the site.
func (sh *sharing) find(s *site, key string) *node {
	tried := 0
	nodes := sh.byKey[key]
	for _, n := range nodes[:min(len(nodes), mostLooked)] {
		if slices.ContainsFunc(n.callers, func(c *site) bool { return s.together.has(c.index) }) {
			continue
		}
		if !sh.above(n).meets(s.together) {
			return n
		}
		if tried++; tried == mostTried {
			break
		}
	}
	return nil
}

// below returns the nodes that n leads to, n included.
func (n *node) below() []*node {
	seen := map[*node]bool{n: true}
	out := []*node{n}
	for i := 0; i < len(out); i++ {
		for _, s := range out[i].sites {
			if s != nil && s.child != nil && !seen[s.child] {
				seen[s.child] = true
				out = append(out, s.child)
			}
		}
	}
	return out
}

// above are the sites that lead to n or directly to what is below it.
func (sh *sharing) above(n *node) set {
	var out set
	for _, m := range n.below() {
		for _, s := range m.callers {
			if sh.has(s) {
				out.add(s.index)
			}
		}
	}
	return out
}

// merged notes that a site shares the node: whatever may be used together with the site may be with the sites below.
func (sh *sharing) merged(s *site, n *node) {
	sh.merges++
	var below set
	for _, m := range n.below() {
		for _, c := range m.sites {
			if sh.has(c) {
				below.add(c.index)
			}
		}
	}
	others := s.together.with(s.index)
	for i := range below.all() {
		sh.sites[i].together.join(others)
	}
	for i := range others.all() {
		sh.sites[i].together.join(below)
	}
}

// exclusive returns an error when a derivation could use a node twice, which sharing must never bring about. It does not
// use what is noted, but counts how often each node can be used from the root.
func (t *tree) exclusive() error {
	for _, target := range t.root.below() {
		most := map[*node]int{}
		var uses func(n *node) int
		uses = func(n *node) int {
			if n == target {
				return 1
			}
			if u, ok := most[n]; ok {
				return u
			}
			best := 0
			for r, rule := range n.pred.Rules {
				sum := 0
				for _, slot := range rule.Slots {
					if s := n.sites[slot]; n.selectors[r] != nil && s.child != nil {
						sum += uses(s.child)
					}
				}
				best = max(best, sum)
			}
			most[n] = best
			return best
		}
		if u := uses(t.root); u > 1 {
			return fmt.Errorf("a shared call of %s can be made %d times in one derivation", target.pred.Name, u)
		}
	}
	return nil
}

// set is a set of small numbers.
type set []uint64

func (s *set) add(i int) {
	for len(*s) <= i/64 {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

func (s *set) join(o set) {
	for len(*s) < len(o) {
		*s = append(*s, 0)
	}
	for i, w := range o {
		(*s)[i] |= w
	}
}

func (s set) has(i int) bool { return i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

// with is the set with one more number.
func (s set) with(i int) set {
	out := slices.Clone(s)
	out.add(i)
	return out
}

func (s set) meets(o set) bool {
	for i := range min(len(s), len(o)) {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// all are the numbers in the set, from the least.
func (s set) all() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// add makes a new node one that later sites may share.
func (sh *sharing) add(n *node) {
	key := n.key()
	sh.byKey[key] = append(sh.byKey[key], n)
}
