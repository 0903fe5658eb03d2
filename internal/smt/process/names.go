package process

import (
	"fmt"
	"strconv"
	"strings"

	"hornbeam/chc/term"
)

// names gives every symbol a name of its own: the text of an assertion has no sorts at its variables, so two variables of
// one name would be one, and names that SMT-LIB reserves cannot be declared.
type names struct {
	pool  *term.Pool
	owner map[string]any
	// renamed maps variables and elements to the variables that stand for them in the text.
	renamed map[*term.Term]*term.Term
	// original is renamed backwards; elements are the renamed elements of uninterpreted sorts, in order.
	original map[*term.Term]*term.Term
	elements []*term.Term
	count    int
}

func newNames(p *term.Pool) *names {
	n := &names{pool: p, owner: map[string]any{}, renamed: map[*term.Term]*term.Term{}, original: map[*term.Term]*term.Term{}}
	for _, w := range strings.Fields(reserved) {
		n.owner[w] = n
	}
	return n
}

// reserved are the words that solvers of all theories define or reserve.
const reserved = `true false not and or xor => = distinct ite let forall exists match as par ! _ + - * / < <= > >= div mod abs
	to_real to_int is_int divisible pow exp sin cos select store const concat bvnot bvneg bvand bvor bvxor bvnand bvnor bvxnor
	bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvcomp bvult bvule bvugt bvuge bvslt bvsle bvsgt
	bvsge bv2nat int2bv nat2bv extract repeat zero_extend sign_extend rotate_left rotate_right is update tuple set bag seq
	Bool Int Real Array BitVec String RegLan Float RoundingMode Set Seq member subset union intersection complement
	map default lambda implies if iff iand int2real real2int emptyset singleton insert card choose root-obj`

// prepare returns t as it is to be printed: with names that are not in use for something else.
func (n *names) prepare(t *term.Term) *term.Term {
	change := false
	term.Walk(t, func(u *term.Term) bool {
		if u.IsVar() || u.Op() == term.Element {
			change = n.claim(u) || change
		}
		return true
	})
	if !change {
		return t
	}
	return n.pool.Substitute(t, n.renamed)
}

// claim reports whether the variable or element u is renamed, after giving it a name when it is new.
func (n *names) claim(u *term.Term) bool {
	if _, ok := n.renamed[u]; ok {
		return true
	}
	// A variable that already stands for another one is renamed too.
	if _, stands := n.original[u]; u.IsVar() && !stands && n.take(u.Name(), u) {
		return false
	}
	prefix := "x"
	if u.Op() == term.Element {
		prefix = "element"
	}
	for {
		v := n.pool.Var(prefix+"!!"+strconv.Itoa(n.count), u.Sort())
		n.count++
		if v != u && n.take(v.Name(), v) {
			n.renamed[u], n.original[v] = v, u
			if u.Op() == term.Element {
				n.elements = append(n.elements, u)
			}
			return true
		}
	}
}

// take gives the name to owner unless it is another's, or no name of SMT-LIB.
func (n *names) take(name string, owner any) bool {
	if o, ok := n.owner[name]; ok {
		return o == owner
	}
	if !declarable(name) {
		return false
	}
	n.owner[name] = owner
	return true
}

// declarable reports whether a script may declare the name, be it quoted.
func declarable(name string) bool {
	return name != "" && !strings.ContainsAny(name, `|\`) && !strings.ContainsRune("@.?", rune(name[0]))
}

// mustSort is must for the name of a sort: SMT-LIB keeps those apart from the names of functions.
func (n *names) mustSort(name string, owner any) error {
	if n.owner[name] == any(n) || !declarable(name) { // reserved
		return n.must(name, owner)
	}
	return n.must("sort "+name, owner)
}

// must gives the name to owner; a name that is in use is an error.
func (n *names) must(name string, owner any) error {
	if !n.take(name, owner) {
		return fmt.Errorf("process: the name %q cannot be declared, or is declared twice", name)
	}
	return nil
}
