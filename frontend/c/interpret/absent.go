package interpret

import (
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// overwritten lets everything be unknown that the arguments of a call reach whose function has no body: what pointers to types
// that are not const point to, and what pointers in memory that is reached point to. What a run reads there later is chosen
// then.
func (m *machine) overwritten(n *tree.Call, fn *function, types []tree.Type, values []uint64, bulks []chunk) {
	var reached []*object
	writes := map[*object]bool{}
	add := func(address uint64, written bool) {
		if address < m.p.layout.globals {
			return
		}
		o := m.find(address)
		if o == nil || o.dead {
			return
		}
		if !slices.Contains(reached, o) {
			reached = append(reached, o)
		}
		writes[o] = writes[o] || written
	}
	for i, t := range types {
		switch {
		case i < len(bulks) && bulks[i].data != nil:
			for _, c := range bulks[i].linear {
				c.sum.Fix()
			}
			for _, address := range m.addressesIn(len(bulks[i].data), func(off int) (byte, bool) {
				return bulks[i].data[off], bulks[i].unknown == nil || bulks[i].unknown[off] == 0
			}) {
				add(address, true)
			}
		case shapeOf(t).class == pointer:
			add(values[i], !fn.decl.Type.Reads(i))
		}
	}
	for i := 0; i < len(reached); i++ {
		o := reached[i]
		if len(reached) > maxReached || o.size > maxReachedBytes {
			m.undetermined(n, "what %s changes", fn.decl.Name)
		}
		m.steps += o.size
		for _, address := range m.addressesIn(int(o.size), func(off int) (byte, bool) { return m.byteAt(o, int64(off), n) }) {
			add(address, true)
		}
	}
	for _, o := range reached {
		if writes[o] && !o.readonly {
			m.wrote(o, 0, o.size)
			m.fill(o, false, n)
			o.asked, o.site = Written, n
		}
	}
}

// addressesIn are the words of memory that may be addresses.
func (m *machine) addressesIn(size int, at func(int) (byte, bool)) []uint64 {
	width := int(m.p.source.Model.PointerBytes)
	var out []uint64
words:
	for off := 0; off+width <= size; off += 4 {
		var x uint64
		for i := width - 1; i >= 0; i-- {
			b, known := at(off + i)
			if !known {
				continue words
			}
			x = x<<8 | uint64(b)
		}
		if x >= m.p.layout.globals {
			out = append(out, x)
		}
	}
	return out
}

// setErrno sets errno, and what else of the library's own a function changes.
func (m *machine) setErrno(v *invocation) {
	for _, name := range v.fn.special.Globals() {
		for _, g := range m.p.source.Globals {
			if g.External && g.Name == name {
				m.undetermined(v.call, "what %s writes to %s", v.fn.decl.Name, name)
			}
		}
	}
	errno := m.p.source.Errno
	if errno == nil || !v.fn.special.SetsErrno() {
		return
	}
	x := m.choose(Question{Site: Site{Written, v.call, errno}, Type: errno.Type, Function: v.fn.decl})
	s := m.p.global(errno)
	switch {
	case x == 0: // it stays as it is
	case s.slot >= 0:
		m.slots[s.slot] = slot{value: x, known: true}
	default:
		shape := shapeOf(errno.Type)
		m.wrote(m.statics[s.number], 0, shape.size)
		m.write(m.statics[s.number], 0, &shape, x, v.call)
	}
}

// ranged chooses what a library function returns, within its range.
func (m *machine) ranged(v *invocation) uint64 {
	t, r := v.call.T, v.fn.special.Result
	if shapeOf(t).class == none {
		return 0
	}
	q := Question{Site: Site{Unspecified, v.call, nil}, Type: t, Function: v.fn.decl}
	switch t := t.(type) {
	case *tree.Pointer:
		if r.Into > 0 && r.Into <= len(v.args) && v.args[r.Into-1] != 0 {
			if m.choose(q) == 0 {
				return 0
			}
			return v.args[r.Into-1]
		}
		q.NotNull = r.NotNull
	case *tree.Integer:
		if !r.Ranged || t.Bits > 64 || t.Bool || t.Signed && t.Min().Int64() > r.Low || !t.Signed && r.Low < 0 {
			break
		}
		q.Ranged, q.Low, q.High = true, r.Low, r.High
		if t.Max().IsInt64() {
			q.High = min(q.High, t.Max().Int64())
		}
		if len(r.Factors) > 0 {
			limit := uint64(1)
			for _, n := range r.Factors {
				if n > len(v.args) {
					return m.choose(q)
				}
				limit *= v.args[n-1]
			}
			if int64(limit) >= 0 {
				q.High = min(q.High, int64(limit))
			}
		}
	}
	return m.choose(q)
}

// within is an answer brought into the range of a question.
func (q *Question) within(x uint64) uint64 {
	if n := int64(x); !q.Ranged || n >= q.Low && n <= q.High {
		return x
	}
	span := uint64(q.High) - uint64(q.Low) + 1
	if span == 0 {
		return x
	}
	return uint64(q.Low) + (x-uint64(q.Low))%span
}

// fills are the functions that write one object of what each pointer to a type that is not const points to.
var fills = map[string]bool{
	"time": true, "times": true, "gettimeofday": true, "clock_gettime": true, "clock_getres": true, "stat": true, "fstat": true,
	"lstat": true, "uname": true, "getrusage": true, "getrlimit": true, "wait": true, "waitpid": true, "sigemptyset": true,
	"sigfillset": true, "sigaddset": true, "sigdelset": true, "sigpending": true, "nanosleep": true, "rand_r": true,
	"sem_init": true, "sem_destroy": true, "sem_wait": true, "sem_trywait": true, "sem_post": true, "sem_getvalue": true,
	"pthread_mutex_init": true, "pthread_mutex_destroy": true, "pthread_mutex_lock": true, "pthread_mutex_trylock": true,
	"pthread_mutex_unlock": true, "pthread_cond_init": true, "pthread_cond_destroy": true, "pthread_cond_wait": true,
	"pthread_cond_signal": true, "pthread_cond_broadcast": true, "pthread_rwlock_init": true, "pthread_rwlock_destroy": true,
	"pthread_rwlock_rdlock": true, "pthread_rwlock_wrlock": true, "pthread_rwlock_unlock": true, "pthread_attr_init": true,
	"pthread_attr_destroy": true, "pthread_attr_setdetachstate": true, "pthread_mutexattr_init": true,
	"pthread_mutexattr_settype": true, "pthread_mutexattr_destroy": true, "pthread_key_create": true,
	"mtx_init": true, "mtx_lock": true, "mtx_trylock": true, "mtx_unlock": true, "mtx_destroy": true, "cnd_init": true,
	"cnd_signal": true, "cnd_broadcast": true, "cnd_wait": true, "cnd_destroy": true, "tss_create": true, "tcgetattr": true,
}

// filling is a function of fills.
func (m *machine) filling(v *invocation) uint64 {
	n := v.call
	r := m.ranged(v)
	for i, t := range v.fn.decl.Type.Params {
		p, ok := t.(*tree.Pointer)
		if !ok || i >= len(v.args) || v.args[i] == 0 || v.fn.decl.Type.Reads(i) {
			continue
		}
		size := p.Elem.Size()
		if size == 0 {
			m.undetermined(n, "what %s writes", v.fn.decl.Name)
		}
		o, off := m.region(v.args[i], uint64(size), n)
		if o.readonly {
			m.fault(n, []fault.Kind{fault.Dereference}, "%s is written", m.name(o))
		}
		m.wrote(o, off, size)
		if v.fn.special.Name == "time" {
			s := shapeOf(p.Elem)
			m.write(o, off, &s, s.fit(r), n)
			continue
		}
		m.rechoose(o, off, p.Elem, n)
	}
	return r
}

// rechoose chooses a part of an object anew.
func (m *machine) rechoose(o *object, off int64, t tree.Type, n *tree.Call) {
	for i := range t.Size() {
		m.setByte(o, off+i, 0, false, n)
	}
	asked, site := o.asked, o.site
	o.asked, o.site = Written, n
	m.settleAll(o, off, t, n)
	for i := range t.Size() {
		m.knownByte(o, off+i, n)
	}
	o.asked, o.site = asked, site
}

// reading is read and its likes: it writes as many bytes as it returns, or as many elements.
func (m *machine) reading(v *invocation, to int, width uint64) uint64 {
	r := m.ranged(v)
	if count := int64(r); count > 0 {
		m.forget(v, m.argumentOf(v, to), uint64(count)*width)
	}
	return r
}

// input is scanf and its likes: what they write is chosen.
func (m *machine) input(v *invocation) uint64 {
	n, name := v.call, v.fn.special.Name
	switch {
	case v.fn.special.Checked:
	case name == "scanf":
		return m.scan(v, 1)
	case name == "fscanf" || name == "sscanf":
		return m.scan(v, 2)
	case name == "fgets":
		return m.gets(v)
	case name == "read" || name == "pread" || name == "recv":
		return m.reading(v, 1, 1)
	case name == "fread":
		return m.reading(v, 0, m.sizeArgument(v, 1))
	case fills[name]:
		return m.filling(v)
	}
	for i, t := range v.types {
		if shapeOf(t).class == pointer && v.args[i] != 0 && !v.fn.decl.Type.Reads(i) {
			m.undetermined(n, "%s is not supported", v.fn.decl.Name)
		}
	}
	return m.ranged(v)
}
