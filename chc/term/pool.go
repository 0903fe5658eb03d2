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

	minSmall = -32
	numSmall = 288
)

// Pool owns terms. All its methods may be called by many goroutines at once. A pool keeps every term that it made.
type Pool struct {
	shards [shards]shard
	next   atomic.Uint32
	fresh  atomic.Uint64
	symbol atomic.Uint64 // numbers functions, constructors and selectors
	seed   maphash.Seed

	tru, fls *Term
	// small holds the numerals of minSmall and up, of sort Int and Real, once they are made.
	small [2][numSmall]atomic.Pointer[Term]

	// bitVecs holds the sorts of short bit-vectors, from width 1, once they are made.
	bitVecs [64]atomic.Pointer[Sort]

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
	p.tru = p.intern(True, Bool, nil)
	p.fls = p.intern(False, Bool, nil)
	return p
}

// Len returns the number of terms made so far; IDs run from 1 to Len.
func (p *Pool) Len() int { return int(p.next.Load()) }

func (p *Pool) nextSymbol() uint64 { return p.symbol.Add(1) }

// key is what identifies a term beside operator, sort, arguments and an interned payload.
type key struct {
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

func (p *Pool) hash(op Op, s *Sort, ext *payload, k *key, args []*Term) uint64 {
	h := mix(uint64(op), uint64(s.id))
	for _, a := range args {
		h = mix(h, uint64(a.id))
	}
	if ext != nil {
		h = mix(h, ext.hash)
	}
	if k != nil {
		switch op {
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
	}
	return h
}

// matches reports whether t, which has the key's operator, has its contents.
func (k *key) matches(t *Term) bool {
	switch t.op {
	case Var:
		return t.ext.name == k.name
	case Numeral, BVNumeral, Element:
		return t.ext.num.Equal(k.num)
	case Forall, Exists:
		return slices.Equal(t.ext.q.bound, k.bound)
	}
	return int(t.ext.hi) == k.hi && int(t.ext.lo) == k.lo
}

// intern returns the term of an operator without indices or bound variables applied to args; ext is the function,
// constructor or selector, or nil. args is not kept.
func (p *Pool) intern(op Op, s *Sort, ext *payload, args ...*Term) *Term {
	t, _ := p.internNew(op, s, ext, nil, args)
	return t
}

// own returns the term of an operator with the payload k. k is not kept.
func (p *Pool) own(op Op, s *Sort, k *key, args ...*Term) *Term {
	t, _ := p.internNew(op, s, nil, k, args)
	return t
}

// internNew also says whether the term is new. The arguments are a parameter of their own, and not part of a struct, so
// that callers can build them on the stack.
func (p *Pool) internNew(op Op, s *Sort, ext *payload, k *key, args []*Term) (*Term, bool) {
	h := p.hash(op, s, ext, k, args)
	sh := &p.shards[h>>(64-shardBits)]
	if t := sh.table.Load().find(h, op, s, ext, k, args); t != nil {
		return t, false
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	tab := sh.table.Load()
	if t := tab.find(h, op, s, ext, k, args); t != nil {
		return t, false
	}
	if 8*(sh.count+1) > 5*len(tab.slots) {
		tab = tab.grown()
		sh.table.Store(tab)
	}
	t := p.newTerm(h, op, s, ext, k, args)
	tab.insert(t)
	sh.count++
	return t, true
}

func (tab *table) find(h uint64, op Op, s *Sort, ext *payload, k *key, args []*Term) *Term {
	mask := uint64(len(tab.slots) - 1)
next:
	for i := h & mask; ; i = (i + 1) & mask {
		t := tab.slots[i].Load()
		if t == nil {
			return nil
		}
		if t.hash != h || t.op != op || t.sort != s || len(t.args) != len(args) {
			continue
		}
		for j, a := range args {
			if t.args[j] != a {
				continue next
			}
		}
		if k == nil && t.ext == ext || k != nil && k.matches(t) {
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

func (p *Pool) newTerm(h uint64, op Op, s *Sort, ext *payload, k *key, args []*Term) *Term {
	t := &Term{id: p.next.Add(1), op: op, hash: h, sort: s, ext: ext, pool: p}
	if len(args) > 0 {
		// Not slices.Clone, which would make every caller's argument list escape to the heap.
		t.args = make([]*Term, len(args))
		copy(t.args, args)
	}
	allValues := true
	depth := uint16(0)
	for _, a := range args {
		t.flags |= a.flags & flagsInherited
		allValues = allValues && a.flags&flagValue != 0
		depth = max(depth, a.depth)
	}
	if depth < maxDepth {
		depth++
	}
	t.depth = depth
	switch op {
	case True, False, Numeral, BVNumeral, Element:
		t.flags |= flagValue
	case Construct, ConstArray, Store:
		if op == Store {
			t.flags |= flagStore
		}
		// Stores at value indices are kept sorted, so a chain of values over a constant array is canonical.
		if allValues {
			t.flags |= flagValue
		}
	case Var:
		t.flags |= flagVars
	case Forall, Exists:
		t.flags |= flagQuant
	case Mul:
		if t.Factors() != nil {
			t.flags |= flagProduct
		}
	case IntDiv, Mod, RealDiv, Field:
		t.flags |= flagPartial
	}
	if k != nil {
		t.ext = &payload{name: strings.Clone(k.name), num: k.num, hi: int32(k.hi), lo: int32(k.lo)}
		if op == Forall || op == Exists {
			q := &quantifier{bound: slices.Clone(k.bound), free: freeWithout(args[0], k.bound)}
			t.ext.q = q
			if len(q.free) == 0 {
				t.flags &^= flagVars
			}
		}
	}
	return t
}

// Var returns the variable (or uninterpreted constant) of that name and sort.
func (p *Pool) Var(name string, s *Sort) *Term {
	return p.own(Var, s, &key{name: name})
}

// Fresh returns a variable that no term of the pool has yet: its name is prefix (without a counter of an earlier
// Fresh), '!' and a counter.
func (p *Pool) Fresh(prefix string, s *Sort) *Term {
	if i := strings.LastIndexByte(prefix, '!'); i > 0 && i+1 < len(prefix) && strings.Trim(prefix[i+1:], "0123456789") == "" {
		prefix = prefix[:i]
	}
	for {
		name := prefix + "!" + strconv.FormatUint(p.fresh.Add(1)-1, 10)
		if t, isNew := p.internNew(Var, s, nil, &key{name: name}, nil); isNew {
			return t
		}
	}
}
