package witness

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/unfold"
)

// Ways of one instance may share what they lead to; premises of one way may not, at whatever distance.
func TestApart(t *testing.T) {
	instance := func(ways ...[]*unfold.Instance) *unfold.Instance {
		in := &unfold.Instance{}
		for _, premises := range ways {
			in.Ways = append(in.Ways, &unfold.Way{Premises: premises})
		}
		return in
	}
	type all = []*unfold.Instance
	check := func(premises ...*unfold.Instance) error {
		return apart(&unfold.Unfolding{Queries: []*unfold.Way{{Premises: premises}}})
	}
	fact, other := instance(all{}), instance(all{})
	require.NoError(t, check(fact, other))
	require.ErrorIs(t, check(fact, fact), ErrUndecided)
	// Two branches that meet again, and go on from the same place.
	joined := instance(all{instance(all{fact})}, all{instance(all{fact})})
	require.NoError(t, check(joined))
	require.NoError(t, check(joined, other))
	require.ErrorIs(t, check(joined, fact), ErrUndecided)
	require.ErrorIs(t, check(other, instance(all{other}, all{fact})), ErrUndecided)
	// A way below the query, though another way of the same instance has nothing twice.
	require.ErrorIs(t, check(instance(all{other}, all{instance(all{joined}), instance(all{fact})})), ErrUndecided)
}
