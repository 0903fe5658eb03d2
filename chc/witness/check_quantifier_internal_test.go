package witness

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness/instances"
)

// An instance has what the premises name like the goal's variables, or like fields of theirs, where the sorts are the same.
func TestAlike(t *testing.T) {
	p := term.NewPool()
	x, y, fresh := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("x!7", term.Int)
	premises := []*term.Term{p.Le(x, p.Int(4))}
	require.Equal(t, p.Le(x, p.Int(9)), alike(p, premises, p.Exists([]*term.Term{fresh}, p.Le(fresh, p.Int(9)))))
	require.Equal(t, p.Exists([]*term.Term{y}, p.Le(x, y)), alike(p, premises, p.Exists([]*term.Term{fresh, y}, p.Le(fresh, y))))
	require.Nil(t, alike(p, premises, p.Exists([]*term.Term{y}, p.Le(y, p.Int(9)))))
	other := p.Var("x!8", term.Bool)
	require.Nil(t, alike(p, premises, p.Exists([]*term.Term{other}, p.Or(other, p.Var("b", term.Bool)))))
	require.Nil(t, alike(p, premises, p.Le(fresh, p.Int(9))))
	require.Equal(t, "tx_0.msg.sender.own", instances.PlainName("tx_0.msg.sender!29.own!539"))
}
