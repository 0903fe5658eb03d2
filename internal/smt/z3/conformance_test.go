package z3

import (
	"testing"

	"hornbeam/internal/smt/smttest"
)

func TestConformance(t *testing.T) { smttest.Conformance(t, Open, smttest.All) }
