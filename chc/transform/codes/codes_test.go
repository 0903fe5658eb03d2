package codes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/frontend/smtlib"
)

// read reads clauses over two predicates of one argument.
func read(t *testing.T, sort, clauses string) *chc.System {
	src := fmt.Sprintf("(declare-fun p (%[1]s) Bool) (declare-fun q (%[1]s) Bool)", sort)
	for _, c := range strings.Split(clauses, ";") {
		src += fmt.Sprintf("(assert (forall ((x %[1]s) (y %[1]s) (b Bool) (a (Array %[1]s Int))) %[2]s))", sort, c)
	}
	script, err := smtlib.Read("test", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// What is copied and compared with constants gets a code, and nothing that is computed with.
func TestCodedArguments(t *testing.T) {
	for name, test := range map[string]struct {
		sort, clauses string
		bits          int // of the argument of p, 0 for one that stays
	}{
		"assigned and compared":         {"Int", "(p 0); (=> (and (p x) (= x 0)) (p 5)); (=> (and (p x) (= x 7)) false)", 2},
		"copied":                        {"Int", "(p 0); (=> (p x) (q x)); (=> (and (q x) (= x y)) (p y)); (=> (q 7) false)", 2},
		"one of two":                    {"Int", "(p 0); (=> (and (p x) (or (= x y) (= y 3))) (p y)); (=> (and (p x) (= x 7)) false)", 2},
		"ordered":                       {"Int", "(p 0); (=> (and (p x) (< x 7)) (q x)); (=> (and (q x) (> x 1)) false)", 3},
		"neighbours have no between":    {"Int", "(p 0); (=> (and (p x) (< x 1)) (p 1))", 2},
		"neighbours with fractions":     {"Real", "(p 0.0); (=> (and (p x) (< x 1.0)) (p 1.0))", 3},
		"computed":                      {"Int", "(p 0); (=> (p x) (p (+ x 1))); (=> (and (p x) (= x 7)) false)", 0},
		"computed by one that has it":   {"Int", "(p 0); (=> (p x) (q x)); (=> (q x) (q (+ x 1))); (=> (p 7) false)", 0},
		"compared with each other":      {"Int", "(p 0); (=> (and (p x) (q y) (not (= x y))) false); (=> (p x) (q x))", 0},
		"compared with others by order": {"Int", "(p 0); (=> (and (p x) (q y) (< x y)) false); (=> (p x) (q x))", 0},
		"compared in a condition":       {"Int", "(p 0); (=> (and (p x) (q y) (= b (= x y)) b) false); (=> (p x) (q x))", 0},
		"an index":                      {"Int", "(p 0); (=> (and (p x) (= (select a x) 1)) (p 1))", 0},
		"never compared":                {"Int", "(=> true (p x)); (=> (p x) (q x))", 0},
		"bits":                          {"(_ BitVec 8)", "(p #x00); (=> (and (p x) (= x #x00)) (p #x05))", 2},
		"bits by order":                 {"(_ BitVec 8)", "(p #x00); (=> (and (p x) (bvult x #x03)) (p #x05))", 0},
		"all there are":                 {"(_ BitVec 1)", "(p #b0); (=> (p #b0) (p #b1))", 1},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, test.sort, test.clauses)
			c := newEncoder(sys).code(transform.Place{Predicate: sys.Predicates[0], Position: 0})
			if test.bits == 0 {
				require.Nil(t, c)
				return
			}
			require.NotNil(t, c)
			require.Equal(t, test.bits, c.width())
		})
	}
}

// The bits of a code say of each value in which part it is, and each part has a value of its own.
func TestPartsAndBits(t *testing.T) {
	numbers := []term.Num{term.NewInt(3), term.NewInt(0), term.NewInt(1), term.NewInt(3)}
	for name, c := range map[string]*code{
		"integers": newCode(term.Int, numbers, false, 9), "integers by order": newCode(term.Int, numbers, true, 9),
		"reals": newCode(term.Real, numbers, false, 9), "reals by order": newCode(term.Real, numbers, true, 9),
	} {
		t.Run(name, func(t *testing.T) {
			p := term.NewPool()
			x := p.Var("x", c.sort)
			for i, r := range c.parts {
				bits := make([]term.Value, c.width())
				for b := range bits {
					value := p.Substitute(c.bit(p, x, b), map[*term.Term]*term.Term{x: c.term(p, r)})
					require.True(t, value.IsValue())
					bits[b] = term.BoolValue(value.IsTrue())
					require.Equal(t, i>>b&1 == 1, value.IsTrue(), "part %d, bit %d", i, b)
				}
				require.True(t, r.value.Equal(c.value(bits).Num()))
			}
		})
	}
	require.Nil(t, newCode(term.Int, numbers, true, 5), "before 0, 0, 1, 2, 3 and behind 3")
	require.Len(t, newCode(term.Int, numbers, true, 6).parts, 6)
}
