package smtlib

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

const lists = "(declare-datatypes ((N 0) (List 1) (Pair 2)) (((z) (s (p N))) (par (T) ((nil) (cons (hd T) (tl (List T))))) (par (A B) ((pair (fst A) (snd B))))))\n"

// What is wrong is told with its place.
func TestErrors(t *testing.T) {
	for _, c := range [][2]string{
		{"(assert", "f:1:8: unexpected end of file: the parenthesis at 1:1 is not closed"},
		{"(assert (and true\n (or false", "f:2:11: unexpected end of file: the parenthesis at 2:2 is not closed"},
		{"(check-sat))", "f:1:12: expected '(' before a command, got ')'"},
		{"foo", "f:1:1: expected '(' before a command, got foo"},
		{"(foo)", "f:1:2: unknown command foo"},
		{"(check-s", "f:1:9: unexpected end of file: the parenthesis at 1:1 is not closed"},
		{"(assert true false)", "f:1:14: expected ')' at the end of the command, got false"},
		{"(assert 1)", "f:1:9: the formula has sort Int, not Bool"},
		{"(assert x)", "f:1:9: unknown symbol x"},
		{"(assert (f 1))", "f:1:10: unknown symbol f"},
		{"(assert (and true 1))", "f:1:19: argument 2 of and should have sort Bool, but has sort Int"},
		{"(assert (= 1 true))", "f:1:14: the arguments of = should have one sort, but have Int and Bool"},
		{"(assert (< 1 true))", "f:1:14: argument 2 of < should have sort Int or Real, but has sort Bool"},
		{"(assert (= 1 (div 1.5 2)))", "f:1:19: argument 1 of div should have sort Int, but has sort Real"},
		{"(assert (not true false))", "f:1:10: not takes 1 arguments, got 2"},
		{"(assert (=> true))", "f:1:10: => takes at least 2 arguments, got 1"},
		{"(assert (=))", "f:1:10: = takes at least 2 arguments, got 0"},
		{"(assert ())", "f:1:10: expected a function symbol, got ')'"},
		{"(assert (1 2))", "f:1:10: expected a function symbol, got 1"},
		{"(assert (true))\n(assert (true true))", "f:2:10: true takes 0 arguments, got 1"},
		{"(declare-fun P (Int) Bool)(declare-fun P (Int) Bool)", "f:1:40: P is already declared at 1:14"},
		{"(declare-fun and (Int) Bool)", "f:1:14: and is already declared by a theory"},
		{"(declare-fun let (Int) Bool)", "f:1:14: let is a reserved word"},
		{"(declare-fun P (Foo) Bool)", "f:1:17: unknown sort Foo"},
		{"(declare-fun P ((Array Int)) Bool)", "f:1:17: sort Array takes 2 arguments, got 1"},
		{"(declare-fun P ((_ BitVec 0)) Bool)", "f:1:27: a bit-vector has at least one bit"},
		{"(declare-fun P (Int Bool)", "f:1:26: expected a sort, got end of file"},
		{"(declare-fun P (Int) Bool)\n(assert (P 1 2))", "f:2:10: P takes 1 arguments, got 2"},
		{"(declare-fun P (Int) Bool)\n(assert (P true))", "f:2:12: argument 1 of P should have sort Int, but has sort Bool"},
		{"(declare-fun P (Int) Bool)\n(assert (P 1.5))", "f:2:12: argument 1 of P should have sort Int, but has sort Real"},
		{"(assert (forall ((x Int) (x Int)) true))", "f:1:27: variable x is bound twice by one quantifier"},
		{"(assert (forall () true))", "f:1:18: a quantifier without variables"},
		{"(assert (forall ((x Int)) (x 1)))", "f:1:28: x is a variable here and cannot be applied"},
		{"(assert (forall ((x Int)) x y))", "f:1:29: unknown symbol y"},
		{"(assert (forall ((x Int)) true true))", "f:1:32: a quantifier has one term, but there are more"},
		{"(assert (forall ((x Int))))", "f:1:26: a quantifier needs a term"},
		{"(assert (exists ((x Int)) x))", "f:1:27: the body of a quantifier has sort Int, not Bool"},
		{"(assert (let ((x 1) (x 2)) true))", "f:1:22: let binds x twice"},
		{"(assert (let () true))", "f:1:15: let without bindings"},
		{"(assert (let (x) true))", "f:1:15: expected a binding (name term), got x"},
		{"(assert (let ((x)) true))", "f:1:17: a let binding needs a term"},
		{"(assert ((_ extract 8 0) #x00))", "f:1:10: bits 8 to 0 of a bit-vector of 8 bits"},
		{"(assert (bvult #x00 #b0))", "f:1:21: the arguments of bvult should have one width, but have 8 and 1 bits"},
		{"(assert (= #xg1 1))", "f:1:14: unexpected digit 'g' in a bit-vector"},
		{"(assert (= 1a 1))", "f:1:12: malformed number 1a"},
		{"(assert (= 1. 1))", "f:1:12: malformed number 1."},
		{"(assert (select 1 2))", "f:1:17: argument 1 of select should be an array, but has sort Int"},
		{"(assert ((as const Int) 2))", "f:1:14: (as const …) needs an array sort, got Int"},
		{"(assert |foo)", "f:1:9: this quoted symbol is not closed"},
		{"(echo \"foo)", "f:1:7: this string is not closed"},
		{"(assert \x01)", "f:1:9: unexpected character '\\x01'"},
		{"(assert é)", "f:1:9: unexpected character 'é'; only |quoted| symbols may contain it"},
		{"(assert (and |é| \xff))", "f:1:14: unknown symbol |é|"},
		{"(assert (and |é ü| |\xe6\x97\xa5| x))", "f:1:14: unknown symbol |é ü|"},
		{"(declare-fun |é ü| () Bool) (assert x)", "f:1:37: unknown symbol x"},
		{"(assert \xff)", "f:1:9: invalid UTF-8 byte 0xff"},
		{"; é\n(assert |a\xffb|)", "f:2:11: invalid UTF-8 byte 0xff in a quoted symbol"},
		{"(assert (! true :named))", "f:1:23: expected a name, got ')'"},
		{"(assert :foo)", "f:1:9: unexpected keyword :foo"},
		{"(declare-datatypes ((A 0)) (((a (f A)))))", "f:1:22: datatype A has no finite value"},
		{"(declare-datatypes ((A 0)) (((a) (a))))", "f:1:35: a is already declared at 1:31"},
		{"(define-fun f ((x Int)) Bool x)", "f:1:30: the body should have sort Bool, but has sort Int"},
		{"(define-fun f ((x Int)) Int (f x))", "f:1:30: unknown symbol f"},
		{"(query P)", "f:1:8: unknown symbol P"},
		{"(assert (match 1 ((x true))))", "f:1:16: match needs a term of a datatype, but this one has sort Int"},
		{lists + "(assert (forall ((x N)) (match x)))", "f:2:33: match needs a term and cases"},
		{lists + "(assert (forall ((x N)) (match x ())))", "f:2:35: match needs cases"},
		{lists + "(assert (forall ((x N)) (match x y)))", "f:2:34: expected a case (pattern term), got y"},
		{lists + "(assert (forall ((x N)) (match x (y))))", "f:2:35: expected a case (pattern term), got y"},
		{lists + "(assert (forall ((x N)) (match x ((z true)))))", "f:2:25: match has no case for the constructor s"},
		{lists + "(assert (forall ((x N)) (match x ((s true) (y false)))))", "f:2:36: the pattern of s needs 1 variables, got 0"},
		{lists + "(assert (forall ((x N)) (match x (((s y y) true)))))", "f:2:41: variable y occurs twice in a pattern"},
		{lists + "(assert (forall ((x N)) (match x (((t y) true)))))", "f:2:37: t is no constructor of the sort N"},
		{lists + "(assert (forall ((x N)) (match x (((cons y) true)))))", "f:2:37: cons is no constructor of the sort N"},
		{lists + "(assert (forall ((x N)) (match x ((z 1) (y true)))))", "f:2:44: the arguments of match should have one sort, but have Int and Bool"},
		{lists + "(assert (forall ((x N)) (match x ((z true) (y true)) true)))", "f:2:54: expected ')' after the cases of match, got true"},
		{lists + "(assert (= nil nil))", "f:2:12: the arguments of nil do not tell its sort; write (as nil sort)"},
		{lists + "(assert (= (as nil (Pair Int Int)) nil))", "f:2:16: nil is no constructor of the sort (Pair Int Int)"},
		{lists + "(assert (= (cons 1 (as nil (List Bool))) nil))", "f:2:20: argument 2 of cons should have sort (List Int), but has sort (List Bool)"},
		{lists + "(assert (hd 1))", "f:2:13: argument 1 of hd should be of the datatype List, but has sort Int"},
		{lists + "(assert (hd (pair 1 1)))", "f:2:13: argument 1 of hd should be of the datatype List, but has sort (Pair Int Int)"},
		{lists + "(declare-fun P (List) Bool)", "f:2:17: sort List takes 1 arguments, got 0"},
		{lists + "(declare-fun P ((List Int Int)) Bool)", "f:2:17: sort List takes 1 arguments, got 2"},
		{"(declare-datatypes ((A 1)) (((a))))", "f:1:30: expected par and 1 parameters, got '('"},
		{"(declare-datatypes ((A 1)) ((par (X Y) ((a)))))", "f:1:34: datatype A has 1 parameters, but 2 are named here"},
		{"(declare-datatypes ((A 2)) ((par (X X) ((a)))))", "f:1:37: parameter X occurs twice"},
		{"(declare-datatype A (par (X) ((a (b (A X))))))", "f:1:19: datatype (A X) has no finite value"},
		{"(define-fun-rec f () Int 1 2)", "f:1:28: expected ')' at the end of define-fun-rec, got 2"},
		{"(define-funs-rec ((f () Int)) (1 2))", "f:1:34: there are more bodies than the 1 functions"},
		{"(set-option :timeout)", "f:1:21: :timeout needs a number of milliseconds, got ')'"},
		{"(set-option :timeout 1.5)", "f:1:22: :timeout needs a number of milliseconds, got 1.5"},
		{"(set-option :timeout abc)", "f:1:22: :timeout needs a number of milliseconds, got abc"},
		{"(set-option :timeout 1 2)", "f:1:24: expected ')' at the end of set-option, got 2"},
		{"(set-option timeout 1)", "f:1:13: expected keyword after set-option, got timeout"},
		{"(assert ((_ update-field f) 1 2))", "f:1:26: unknown symbol f"},
	} {
		s, err := Read("f", []byte(c[0]), term.NewPool())
		require.Nil(t, s, c[0])
		require.NotErrorIs(t, err, ErrUnsupported, c[0])
		require.ErrorContains(t, err, c[1], c[0])
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "f", e.Pos.File)
	}
}

// What is legal but beyond the reader is told apart from what is wrong; what is wrong after it is still found.
func TestUnsupported(t *testing.T) {
	for _, c := range [][2]string{
		{"(push 1)", "f:1:2: unsupported: command push"},
		{"(define-fun-rec f ((x Int)) Int (f x))", "f:1:34: unsupported: f is defined by recursion"},
		{"(declare-fun P (String) Bool)(assert (P \"a\"))", "f:1:17: unsupported: sort String"},
		{"(declare-fun P ((_ FloatingPoint 8 24)) Bool)", "f:1:17: unsupported: sort FloatingPoint"},
		{"(declare-datatypes ((P 2) (N 1)) ((par (A B) ((p (a A) (b B)))) (par (X) ((nn) (nc (h X) (t (N (P X X))))))))", "f:1:108: unsupported: datatypes whose sorts have more than 10000 characters"},
		{"(declare-datatypes ((B 1) (N 1)) ((par (X) ((b (c X)))) (par (X) ((nn) (nc (h X) (t (N (B X))))))))", "f:1:22: unsupported: datatypes with parameters that need more than 200 instances"},
		{"(declare-datatype A (par (X) ((a) (b (f (Array X Int))))))(declare-datatype C ((c) (d (g (A C)))))(assert true)", "f:1:77: unsupported: datatype (A C) has arrays with itself as the index"},
		{"(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) (f x)))", "unsupported: f is defined by recursion"},
		{"(declare-sort S 1)", "f:1:15: unsupported: sort S with parameters"},
		{"(declare-fun f (Int) Int)(assert (= (f 1) 1))", "f:1:38: unsupported: f is an uninterpreted function"},
		{"(declare-const c Int)(assert (= c 1))", "f:1:33: unsupported: c is a constant that a model chooses"},
		{"(declare-datatypes ((T 0)) (((leaf) (c (f (Array Int (Array T Int)))))))", "f:1:41: unsupported: datatype T has arrays with itself as the index"},
		{"(declare-sort U 0)(declare-fun P (U) Bool)(assert (P (as @U!0 U)))", "f:1:58: unsupported: @U!0, an element of the sort U,"},
		{"(assert true)(check-sat)(assert false)", "f:1:26: unsupported: assert after check-sat"},
		{"(assert (str.< \"a\" \"b\"))", "f:1:10: unsupported: str.<"},
		{"(declare-fun P ((Array Int Int Int)) Bool)", "unsupported: arrays with more than one index"},
	} {
		s, err := Read("f", []byte(c[0]), term.NewPool())
		require.ErrorIs(t, err, ErrUnsupported, c[0])
		require.ErrorContains(t, err, c[1])
		require.Len(t, s.Unsupported, 1)
		require.Contains(t, c[1], s.Unsupported[0].Msg[:4])

		_, err = Read("f", []byte(c[0]+"\n(assert (and"), term.NewPool())
		require.NotErrorIs(t, err, ErrUnsupported)
		require.ErrorContains(t, err, "f:2:13: unexpected end of file")
	}
	// A declaration that is not used harms nobody.
	_, err := Read("f", []byte("(declare-fun f (Int) Int)(declare-const c Int)(assert true)(check-sat)(check-sat)(get-model)"), term.NewPool())
	require.NoError(t, err)
}

func TestScriptFacts(t *testing.T) {
	s := read(t, "\xef\xbb\xbf; a comment\r\n(set-logic HORN)(set-info :status sat)(set-info :source |a\nb|)\n(set-option :produce-models true)(declare-fun |a b| () Bool)"+
		"(declare-const q Bool)(declare-fun repeat (Int) Bool)(assert (=> q (repeat 1)))(check-sat)(get-model)(get-proof)(echo \"say \"\"hi\"\"\")(exit)(((")
	require.Equal(t, "HORN", s.Logic)
	require.Equal(t, "sat", s.Status)
	require.True(t, s.CheckSat && s.GetModel && s.GetProof)
	require.False(t, s.Rules)
	require.Len(t, s.Declared, 3)
	require.Equal(t, "a b", s.Declared[0].Name)
	require.Equal(t, "f:4:114", s.System.Clauses[0].Pos.String())
}

// The last limit before check-sat counts.
func TestTimeLimits(t *testing.T) {
	for src, want := range map[string]time.Duration{
		"": 0, "(set-option :timeout 1500)": 1500 * time.Millisecond, "(set-option :timeout 7)(set-option :timeout \"9\")": 9 * time.Millisecond,
		"(set-option :timeout 7)(check-sat)(set-option :timeout 9)": 7 * time.Millisecond, "(set-option :timeout 7)(set-option :timeout 0)": 0,
		"(set-option :timeout 4294967295)": 0, "(set-option :timeout 99999999999999999)": 0, "(set-option :rlimit 5)": 0, "(set-option :fp.spacer.timeout 5)": 0,
	} {
		require.Equal(t, want, read(t, src).Timeout, src)
	}
}

func TestDatatypeForms(t *testing.T) {
	require.Empty(t, read(t, "(declare-datatypes () ())").System.Datatypes)
	for _, src := range []string{
		"(declare-datatypes ((L 0) (T 0)) (((nil) (cons (hd Int) (tl L))) ((leaf) (node (kids (Array Int T)) (list L)))))",
		"(declare-datatypes () ((L nil (cons (hd Int) (tl L))) (T leaf (node (kids (Array Int T)) (list L)))))",
		"(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-datatype T (leaf (node (kids (Array Int T)) (list L))))",
	} {
		s := read(t, src+"(declare-fun P (L T) Bool)(assert (forall ((l L) (t T)) (=> (and (P (cons 1 l) t) ((_ is node) t) (= (list t) l)) (P l leaf))))(define-fun is-odd ((x Int)) Bool true)")
		require.Len(t, s.System.Datatypes, 2)
		node := s.System.Datatypes[1].Data.Constructors[1]
		require.Same(t, s.System.Datatypes[1], node.Selectors[0].Sort.Elem)
		require.Same(t, s.System.Datatypes[0], node.Selectors[1].Sort)
		var names []string
		for _, c := range s.System.Datatypes[0].Data.Constructors {
			names = append(names, c.Name)
		}
		require.Equal(t, "nil cons", strings.Join(names, " "))
	}
}

// A sort shares its parts, so that it can be exponentially larger than its text.
func TestSortsThatCannotBeWrittenOutAreUnsupported(t *testing.T) {
	for _, c := range []struct{ first, next, reason string }{
		{"(define-sort S0 () Int)", "(define-sort S%d () (Array S%d S%d))", "sorts of more than 10000 parts"},
		{"(define-sort S0 (T) T)", "(define-sort S%d (T) (Array (S%d T) (S%d T)))", "sorts that apply more than 10000 sort definitions"},
		{"(define-sort Left (A B) A)(define-sort S0 (T) T)", "(define-sort S%d (T) (Left (S%d T) (S%d T)))", "sorts that apply more than 10000 sort definitions"},
	} {
		text := c.first
		for i := 1; i < 60; i++ {
			text += fmt.Sprintf(c.next, i, i-1, i-1)
		}
		argument := "(S59 Int)"
		if strings.Contains(c.first, "()") {
			argument = "S59"
		}
		_, err := Read("f", []byte(text+"(declare-fun P ("+argument+") Bool)"), term.NewPool())
		require.ErrorIs(t, err, ErrUnsupported)
		require.ErrorContains(t, err, c.reason)
	}
	_, err := Read("f", []byte("(define-sort I (T) Int)(declare-fun P ("+strings.Repeat("(I Bool)", 20_000)+") Bool)"), term.NewPool())
	require.NoError(t, err)
}
