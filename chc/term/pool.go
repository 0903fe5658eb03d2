package term

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	shardBits = 5
	shards    = 1 << shardBits
)

// Pool owns terms. All its methods may be called by many goroutines at once. A pool keeps every term that it made.
type Pool struct {
	shards [shards]shard
	next   atomic.Uint32
	fresh  atomic.Uint64
	seed   maphash.Seed

	tru, fls *Term

	mu        sync.Mutex
	sorts     map[sortKey]*Sort
	sortCount uint32
	funcs     map[string][]*Func
}

// shard is an insert-only open-addressing table. Readers probe without a lock; a writer holds mu and probes again.
type shard struct {
	mu    sync.Mutex
	count int
	table atomic.Pointer[table]
	_     [40]byte // keeps shards on cache lines of their own
}

type table struct {
	slots []atomic.Pointer[Term]
}

// NewPool returns an empty pool.
func NewPool() *Pool {
	p := &Pool{seed: maphash.MakeSeed(), sorts: map[sortKey]*Sort{}, funcs: map[string][]*Func{}}
	for i := range p.shards {
		p.shards[i].table.Store(&table{slots: make([]atomic.Pointer[Term], 64)})
	}
	p.tru = p.intern(key{op: True, sort: Bool})
	p.fls = p.intern(key{op: False, sort: Bool})
	return p
}

// Len returns the number of terms made so far; IDs run from 1 to Len.
func (p *Pool) Len() int { return int(p.next.Load()) }

// key is all that identifies a term.
type key struct {
	op   Op
	sort *Sort
	args []*Term
	ext  *payload // an interned payload (function, constructor, selector): identity
	// own says that the payload is compared by its contents: name, number, indices, bound variables.
	own    bool
	name   string
	num    Num
	hi, lo int
	bound  []*Term
}

// mix folds y into the hash x.
func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0xa0761d6478bd642f, y^0xe7037ed1a0b428db)
	return hi ^ lo
}

func (p *Pool) hash(k *key) uint64 {
	h := mix(uint64(k.op), uint64(k.sort.id))
	for _, a := range k.args {
		h = mix(h, uint64(a.id))
	}
	switch {
	case k.own:
		switch k.op {
		case Var:
			h = mix(h, maphash.String(p.seed, k.name))
		case Numeral, BVNumeral, Element:
			h = mix(h, k.num.Hash())
		case Forall, Exists:
			for _, a := range k.bound {
				h = mix(h, uint64(a.id))
			}
		default:
			h = mix(h, uint64(k.hi)<<32^uint64(k.lo))
		}
	case k.ext != nil:
		switch {
		case k.ext.fn != nil:
			h = mix(h, maphash.String(p.seed, k.ext.fn.Name))
		case k.ext.ctor != nil:
			h = mix(h, uint64(k.ext.ctor.Index)+uint64(k.ext.ctor.Data.Sort.id)<<32)
		case k.ext.sel != nil:
			h = mix(h, uint64(k.ext.sel.Index)+uint64(k.ext.sel.Ctor.Index)<<16)
		}
	}
	return h
}

func (k *key) matches(t *Term) bool {
	if t.op != k.op || t.sort != k.sort || len(t.args) != len(k.args) {
		return false
	}
	for i, a := range k.args {
		if t.args[i] != a {
			return false
		}
	}
	if !k.own {
		return t.ext == k.ext
	}
	switch k.op {
	case Var:
		return t.ext.name == k.name
	case Numeral, BVNumeral, Element:
		return t.ext.num.Equal(k.num)
	case Forall, Exists:
		return slices.Equal(t.ext.bound, k.bound)
	}
	return t.ext.hi == k.hi && t.ext.lo == k.lo
}

func (p *Pool) intern(k key) *Term {
	t, _ := p.internNew(&k)
	return t
}

// internNew returns the term of key k and whether it is new. k and its argument slice are not kept.
func (p *Pool) internNew(k *key) (*Term, bool) {
	h := p.hash(k)
	s := &p.shards[h>>(64-shardBits)]
	if t := s.table.Load().find(h, k); t != nil {
		return t, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tab := s.table.Load()
	if t := tab.find(h, k); t != nil {
		return t, false
	}
	if 4*(s.count+1) > 3*len(tab.slots) {
		tab = tab.grown()
		s.table.Store(tab)
	}
	t := p.newTerm(h, k)
	tab.insert(t)
	s.count++
	return t, true
}

func (tab *table) find(h uint64, k *key) *Term {
	mask := uint64(len(tab.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		t := tab.slots[i].Load()
		if t == nil {
			return nil
		}
		if t.hash == h && k.matches(t) {
			return t
		}
	}
}

func (tab *table) insert(t *Term) {
	mask := uint64(len(tab.slots) - 1)
	i := t.hash & mask
	for tab.slots[i].Load() != nil {
		i = (i + 1) & mask
	}
	tab.slots[i].Store(t)
}

func (tab *table) grown() *table {
	n := &table{slots: make([]atomic.Pointer[Term], 2*len(tab.slots))}
	for i := range tab.slots {
		if t := tab.slots[i].Load(); t != nil {
			n.insert(t)
		}
	}
	return n
}

func (p *Pool) newTerm(h uint64, k *key) *Term {
	t := &Term{id: p.next.Add(1), op: k.op, hash: h, sort: k.sort, ext: k.ext, pool: p}
	if len(k.args) > 0 {
		// Not slices.Clone, which would make every caller's argument list escape to the heap.
		t.args = make([]*Term, len(k.args))
		copy(t.args, k.args)
	}
	allValues := true
	depth := uint16(0)
	for _, a := range k.args {
		t.flags |= a.flags & (flagVars | flagQuant)
		allValues = allValues && a.flags&flagValue != 0
		depth = max(depth, a.depth)
	}
	if depth < maxDepth {
		depth++
	}
	t.depth = depth
	switch k.op {
	case True, False, Numeral, BVNumeral, Element:
		t.flags |= flagValue
	case Construct, ConstArray, Store:
		// Stores at value indices are kept sorted, so a chain of values over a constant array is canonical.
		if allValues {
			t.flags |= flagValue
		}
	case Var:
		t.flags |= flagVars
	case Forall, Exists:
		t.flags |= flagQuant
	}
	if k.own {
		t.ext = &payload{name: strings.Clone(k.name), num: k.num, hi: k.hi, lo: k.lo}
		if k.op == Forall || k.op == Exists {
			t.ext.bound = make([]*Term, len(k.bound))
			copy(t.ext.bound, k.bound)
			t.ext.free = freeWithout(k.args[0], k.bound)
			if len(t.ext.free) == 0 {
				t.flags &^= flagVars
			}
		}
	}
	return t
}

// Var returns the variable (or uninterpreted constant) of that name and sort.
func (p *Pool) Var(name string, s *Sort) *Term {
	return p.intern(key{op: Var, sort: s, own: true, name: name})
}

// Fresh returns a variable that no term of the pool has yet: its name is prefix (without a counter of an earlier
// Fresh), '!' and a counter.
func (p *Pool) Fresh(prefix string, s *Sort) *Term {
	if i := strings.LastIndexByte(prefix, '!'); i > 0 && i+1 < len(prefix) && strings.Trim(prefix[i+1:], "0123456789") == "" {
		prefix = prefix[:i]
	}
	for {
		name := prefix + "!" + strconv.FormatUint(p.fresh.Add(1)-1, 10)
		if t, isNew := p.internNew(&key{op: Var, sort: s, own: true, name: name}); isNew {
			return t
		}
	}
}
