package passes_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/witness"
)

const listRules = `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List))))) (declare-rel p (List))
	(declare-var l List)`

// Selectors of the wrong constructor may yield anything; those that are known to be right stay as they are.
func TestSelectorsAreGuarded(t *testing.T) {
	for name, c := range map[string]struct{ rule, want string }{
		"known":     {"(rule (=> (and (p l) ((_ is cons) l)) (p (tail l))))", "(p l) & ((_ is cons) l) => (p (tail l))"},
		"unknown":   {"(rule (=> (and (p l) (= (head l) 7)) (p nil)))", "(p l) & (= (ite ((_ is cons) l) (head l) head!0) 7) => (p nil)"},
		"construct": {"(rule (=> (and (p l) (= (head (cons x l)) 7)) (p nil)))", "(p l) & (= x 7) => (p nil)"},
		"nested": {"(rule (=> (and (p l) ((_ is cons) l)) (p (tail (tail l)))))",
			"(p l) & ((_ is cons) l) => (p (ite ((_ is cons) (tail l)) (tail (tail l)) tail!0))"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := read(t, listRules+c.rule)
			next, _, err := guard.Selectors().Run(t.Context(), env, sys)
			require.NoError(t, err)
			require.Equal(t, c.want, readableClause(next))
			if next != sys {
				require.Equal(t, chc.Over, next.Approximation)
			}
			again, _, err := guard.Selectors().Run(t.Context(), env, sys)
			require.NoError(t, err)
			require.Equal(t, next == sys, again == sys)
		})
	}
}

// A refutation that does not look at wrong selectors is one of the source; one that does is not let through.
func TestRefutationsThroughSelectors(t *testing.T) {
	for constraint, want := range map[string]error{
		"(or (= l nil) (= (head l) 3))": nil,
		"(= (head l) 3)":                witness.ErrUndecided,
	} {
		sys := read(t, listRules+"(rule (p nil)) (rule (=> (and (p l) "+constraint+") false))")
		next, back := run(t, guard.Selectors(), sys)
		list := sys.Datatypes[0]
		values := map[*term.Term]term.Value{}
		for _, v := range next.Clauses[1].Vars() {
			values[v] = term.NumValue(term.NewInt(3), term.Int)
			if v.Sort() == list {
				values[v] = term.TermValue(sys.Pool.Construct(list.Data.Constructors[0]))
			}
		}
		ref := &witness.Refutation{Steps: []witness.Step{
			{Clause: next.Clauses[0]}, {Clause: next.Clauses[1], Values: values, Premises: []int{0}},
		}}
		require.NoError(t, witness.CheckRefutation(context.Background(), next, ref))
		old, err := back.Refutation(t.Context(), ref)
		require.NoError(t, err)
		require.ErrorIs(t, witness.CheckRefutation(context.Background(), sys, old), want)
	}
}
