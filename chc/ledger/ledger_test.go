package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/ledger"
)

// A short sentence names a few functions, and none whose names say what is assumed of them.
func TestBriefEntries(t *testing.T) {
	for want, names := range map[string][]string{
		"":                                 {"__VERIFIER_nondet_int", "nondet_bool", "unknown1", "nd", "__SMACK_nondet_char"},
		"any value":                        nil,
		"any value: read":                  {"__VERIFIER_nondet_int", "read"},
		"any value: a, b, c, d":            {"a", "b", "c", "nd", "d"},
		"any value: a, b, c, and 2 others": {"a", "b", "c", "d", "e"},
	} {
		require.Equal(t, want, ledger.Entry{What: "any value", Names: names}.Brief())
	}
	require.Equal(t, "any value: nd, read", ledger.Entry{What: "any value", Names: []string{"nd", "read"}}.String())
}

// Each verdict has the entries that it rests on; entries that say the same are one.
func TestEntriesByVerdict(t *testing.T) {
	var l ledger.Ledger
	l.Add(ledger.Entry{Kind: ledger.Allocation, What: "allocation succeeds", For: ledger.SafeOnly})
	l.Add(ledger.Entry{Kind: ledger.Undefined, What: "any value", Names: []string{"f"}})
	l.Add(ledger.Entry{Kind: ledger.Undefined, What: "any value", Names: []string{"f", "g"}})
	l.Add(ledger.Entry{Kind: ledger.Undefined, What: "any value", Names: []string{"h"}, For: ledger.UnsafeOnly})
	require.Equal(t, []string{"allocation succeeds", "any value: f, g"}, sentences(l.Safe()))
	require.Equal(t, []string{"any value: f, g", "any value: h"}, sentences(l.Unsafe()))
	require.Empty(t, (*ledger.Ledger)(nil).Safe())
}

func sentences(entries []ledger.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.String())
	}
	return out
}
