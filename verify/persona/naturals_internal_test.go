package persona

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSumsOfNaturals(t *testing.T) {
	for model, want := range map[string]string{
		"(= x 1)":                        "(= x 1)",
		"(= (bv2nat a) 1)":               "(= (+ (bv2nat a) 0) 1)",
		"(bv2nat ((_ int2bv 8) x))":      "(+ (bv2nat ((_ int2bv 8) x)) 0)",
		"(bv2nat (f (bv2nat (g a)) b))":  "(+ (bv2nat (f (+ (bv2nat (g a)) 0) b)) 0)",
		"(f |(bv2nat | (bv2nat a))":      "(f |(bv2nat | (+ (bv2nat a) 0))",
		"(f \"(bv2nat \" (bv2nat a)) |x": "(f \"(bv2nat \" (+ (bv2nat a) 0)) |x",
	} {
		require.Equal(t, want, string(withSumsOfNaturals([]byte(model))), model)
	}
}
