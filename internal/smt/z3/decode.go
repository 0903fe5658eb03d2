package z3

// #include "bridge.h"
import "C"

import (
	"fmt"
	"strconv"
	"unsafe"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// slot is one decoded node of an export.
type slot struct {
	// value is set for truth values and numbers, which need no term of the pool until they are part of one.
	value term.Value
	// t is set for other translated terms.
	t *term.Term
	// step is set for a step of a proof.
	step *smt.Node
	// at is the place of the node's words; unsupported says why there is no translation.
	at          uint32
	unsupported string
}

// decoder turns what the C side wrote into terms. It reads the C side's buffers, which the next export overwrites.
type decoder struct {
	c     *solverContext
	words []uint32
	text  []byte
	slots []slot
	at    int // the next word
	// element gives the index of an element of an uninterpreted sort by its node.
	element func(node int, s *term.Sort) int
	// step decodes a step of a proof.
	step func(d *decoder, count int, s *slot)
}

func (c *solverContext) decoder(nodes int) *decoder {
	return &decoder{
		c:     c,
		words: unsafe.Slice((*uint32)(unsafe.Pointer(c.h.out.data)), int(c.h.out.len)),
		text:  unsafe.Slice((*byte)(unsafe.Pointer(c.h.text.data)), int(c.h.text.len)),
		slots: make([]slot, 0, nodes),
	}
}

func (d *decoder) word() uint32 {
	d.at++
	return d.words[d.at-1]
}

func (d *decoder) word64() uint64 {
	low := d.word()
	return uint64(low) | uint64(d.word())<<32
}

func (d *decoder) string() string {
	at, n := d.word(), d.word()
	return string(d.text[at : at+n])
}

// sort returns the sort of an index that was written, nil for none.
func (d *decoder) sort() *term.Sort {
	if i := d.word(); i != none {
		return d.c.sortList[i]
	}
	return nil
}

// decode decodes all n nodes.
func (d *decoder) decode(n int) error {
	for range n {
		s := slot{at: uint32(d.at)}
		head := d.word()
		if err := d.node(&s, head&0xff, int(head>>8)); err != nil {
			return err
		}
		d.slots = append(d.slots, s)
	}
	return nil
}

func (d *decoder) node(s *slot, kind uint32, count int) error {
	p := d.c.pool
	switch kind {
	case C.HB_X_VAR:
		s.t = d.c.vars[d.word()].term
	case C.HB_X_NODE:
		if s.t = d.c.terms[d.word()]; s.t == nil {
			s.unsupported = "what an element's number is"
		}
	case C.HB_X_INT64:
		tag, width, x := d.word(), d.word(), d.word64()
		if tag == C.HB_TAG_BV {
			s.value = term.NumValue(unsigned(x), p.BitVec(int(width)))
		} else {
			s.value = term.NumValue(term.NewInt(int64(x)), term.Int)
		}
	case C.HB_X_RAT64:
		num, den := int64(d.word64()), int64(d.word64())
		s.value = term.NumValue(term.NewRat(num, den), term.Real)
	case C.HB_X_NUMERAL:
		tag, width := d.word(), d.word()
		x, err := term.ParseNum(d.string())
		if err != nil {
			return fmt.Errorf("z3: reading a numeral: %w", err)
		}
		switch tag {
		case C.HB_TAG_BV:
			s.value = term.NumValue(x, p.BitVec(int(width)))
		case C.HB_TAG_REAL:
			s.value = term.NumValue(x, term.Real)
		default:
			s.value = term.NumValue(x, term.Int)
		}
	case C.HB_X_IRRATIONAL:
		s.unsupported = "the irrational number " + d.string()
	case C.HB_X_BOUND:
		srt, i := d.sort(), d.word()
		if srt == nil {
			s.unsupported = "a bound variable"
		} else {
			s.t = boundVariable(p, srt, i)
		}
	case C.HB_X_OP:
		op, srt := d.word(), d.sort()
		d.operator(s, op, srt, count)
	case C.HB_X_FUNC:
		d.application(s, d.c.funcList[d.word()], count)
	case C.HB_X_ELEMENT:
		srt := d.sort()
		name := d.string()
		if srt == nil || srt.Kind != term.UninterpretedKind || d.element == nil {
			s.unsupported = "the constant " + name
		} else {
			s.t = p.Element(srt, d.element(len(d.slots), srt))
		}
	case C.HB_X_LAMBDA:
		srt, bound := d.sort(), d.word()
		d.lambda(s, srt, int(bound), &d.slots[d.word()])
	case C.HB_X_TABLE:
		d.table(s, d.sort(), count/2)
	case C.HB_X_PROOF:
		d.step(d, count, s)
	default:
		s.unsupported = d.string()
	}
	return nil
}

func unsigned(x uint64) term.Num {
	n, _ := term.ParseNum(strconv.FormatUint(x, 10))
	return n
}

// boundVariable stands for a de Bruijn index while a body is decoded.
func boundVariable(p *term.Pool, s *term.Sort, index uint32) *term.Term {
	return p.Var("bound!"+strconv.Itoa(int(index)), s)
}

// slotAt returns the slot of an index, an empty one for none.
func (d *decoder) slotAt(i uint32) *slot {
	if i == none {
		return &slot{}
	}
	return &d.slots[i]
}

// termOf returns the term of a slot, nil when it has none.
func (d *decoder) termOf(s *slot) *term.Term {
	if s.t == nil && s.value.Sort() != nil {
		s.t = s.value.Term(d.c.pool)
	}
	return s.t
}

// args reads n argument slots and returns their terms; when one has none, it says why in s and returns false.
func (d *decoder) args(s *slot, n int) ([]*term.Term, bool) {
	ts := make([]*term.Term, n)
	for i := range ts {
		a := &d.slots[d.word()]
		if ts[i] = d.termOf(a); ts[i] == nil && s.unsupported == "" {
			s.unsupported = a.unsupported
			if a.unsupported == "" {
				s.unsupported = "a proof inside a term"
			}
		}
	}
	return ts, s.unsupported == ""
}

// application decodes one of our functions.
func (d *decoder) application(s *slot, f function, n int) {
	ts, ok := d.args(s, n)
	if !ok {
		return
	}
	p := d.c.pool
	switch {
	case f.fn != nil:
		s.t = p.Apply(f.fn, ts...)
	case f.ctor != nil:
		s.t = p.Construct(f.ctor, ts...)
	case f.is != nil:
		s.t = p.Is(f.is, ts[0])
	default:
		s.t = p.Field(f.sel, ts[0])
	}
}

// table decodes an array that is given as a function: entries and a value everywhere else.
func (d *decoder) table(s *slot, srt *term.Sort, entries int) {
	ts, ok := d.args(s, 2*entries+1)
	switch {
	case !ok:
	case srt == nil:
		s.unsupported = "an array of an unknown sort"
	default:
		a, ok := smt.FunctionArray(d.c.pool, srt, boundVariable(d.c.pool, srt.Index, 0), ts[2*entries])
		if !ok {
			s.unsupported = "the function " + ts[2*entries].String()
			return
		}
		// Entries are tried in order, so the first one of a key counts.
		for i := entries - 1; i >= 0; i-- {
			a = d.c.pool.Store(a, ts[2*i], ts[2*i+1])
		}
		s.t = a
	}
}

func (d *decoder) lambda(s *slot, srt *term.Sort, bound int, body *slot) {
	if body.step != nil {
		s.step = body.step // a proof below bound variables
		return
	}
	t := d.termOf(body)
	if t == nil || bound != 1 || srt == nil || srt.Kind != term.ArrayKind {
		s.unsupported = "a quantified term"
		return
	}
	var ok bool
	if s.t, ok = smt.FunctionArray(d.c.pool, srt, boundVariable(d.c.pool, srt.Index, 0), t); !ok {
		s.t = nil
		s.unsupported = "the function " + t.String()
	}
}
