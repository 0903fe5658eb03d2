package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDurationsAndSizes(t *testing.T) {
	for text, want := range map[string]time.Duration{"2": 2 * time.Second, "0.5": 500 * time.Millisecond, "0": 0,
		"2s": 2 * time.Second, "1m30s": 90 * time.Second, "200ms": 200 * time.Millisecond} {
		got, err := ParseDuration(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "-1", "-1s", "two", "1e", "--", "1d"} {
		_, err := ParseDuration(text)
		require.Error(t, err, text)
	}
	for text, want := range map[string]int64{"0": 0, "17": 17, "100k": 100 << 10, "100K": 100 << 10, "512M": 512 << 20, "4G": 4 << 30} {
		got, err := ParseSize(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "G", "-1", "4GB", "1.5G", "9223372036854775807G"} {
		_, err := ParseSize(text)
		require.Error(t, err, text)
	}
}

func TestValuesAreValidated(t *testing.T) {
	table := []Option{
		{Name: "turns", Kind: "int", Default: "3"}, {Name: "on", Kind: "bool", Default: "true"},
		{Name: "limit", Kind: "duration", Default: "1s"}, {Name: "kind", Kind: "string", Default: "a", Choices: []string{"a", "b"}},
	}
	v, err := NewValues(table, map[string]string{"turns": "5", "limit": "2"})
	require.NoError(t, err)
	require.Equal(t, 5, v.Int("turns"))
	require.True(t, v.Bool("on"))
	require.Equal(t, 2*time.Second, v.Duration("limit"))
	require.Equal(t, "a", v.Text("kind"))
	for name, value := range map[string]string{"turns": "many", "on": "perhaps", "limit": "soon", "kind": "c"} {
		_, err := NewValues(table, map[string]string{name: value})
		require.ErrorContains(t, err, name)
	}
}

func TestEventsAreJSONWithTheirFieldsInOrder(t *testing.T) {
	e := Event{At: 1500 * time.Millisecond, Kind: "lemma", Fields: []Field{{"predicate", "p\n"}, {"level", 2}, {"formula", "(< x 1)"}}}
	line, err := e.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, `{"at":1.500000,"event":"lemma","predicate":"p\n","level":2,"formula":"(< x 1)"}`, string(line))
}

func TestStatsKeepTheOrderOfTheirFirstWriting(t *testing.T) {
	s := NewStats()
	s.Add("b", 1)
	s.AddTime("time.a", time.Second)
	s.Set("a", 7)
	s.Add("b", 2)
	require.Equal(t, []Row{{Name: "b", Count: 3}, {Name: "time.a", Time: time.Second, IsTime: true}, {Name: "a", Count: 7}}, s.Rows())
	var none *Stats
	none.Add("b", 1)
	require.Empty(t, none.Rows())
}
