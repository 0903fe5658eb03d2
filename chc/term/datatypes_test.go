package term

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Datatypes that refer to each other are one group, after those that only they refer to, also as the index of an array.
func TestDatatypeGroups(t *testing.T) {
	p := NewPool()
	declare := func(decls ...DatatypeDecl) []*Sort {
		ss, err := p.Datatypes(decls...)
		require.NoError(t, err)
		return ss
	}
	colour := declare(DatatypeDecl{Name: "Colour", Constructors: []ConstructorDecl{{Name: "red"}, {Name: "green"}}})[0]
	list := declare(DatatypeDecl{Name: "List", Constructors: []ConstructorDecl{
		{Name: "nil"}, {Name: "cons", Selectors: []SelectorDecl{{"head", Of(p.Array(colour, Int))}, {"tail", Declared(0)}}},
	}})[0]
	trees := declare(
		DatatypeDecl{Name: "Tree", Constructors: []ConstructorDecl{{Name: "leaf", Selectors: []SelectorDecl{{"labels", Of(list)}}}, {Name: "node", Selectors: []SelectorDecl{{"below", Declared(1)}}}}},
		DatatypeDecl{Name: "Forest", Constructors: []ConstructorDecl{{Name: "empty"}, {Name: "grow", Selectors: []SelectorDecl{{"trees", func(ss []*Sort) *Sort { return p.Array(colour, ss[0]) }}}}}},
	)
	require.Equal(t, [][]*Sort{{colour}, {list}, {trees[0], trees[1]}}, DatatypeGroups(Int, p.Array(trees[0], list), colour))
	require.Equal(t, [][]*Sort{{colour}}, DatatypeGroups(p.Array(colour, Bool)))
	require.Empty(t, DatatypeGroups(Int, p.Array(Int, p.BitVec(3)), p.Uninterpreted("U")))
}
