package engine_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
)

// oneArgument is a system with a predicate over the integers, and formulas x <= k over its canonical parameter.
func oneArgument() (*chc.System, func(k int64) engine.Lemma) {
	p := term.NewPool()
	sys := &chc.System{Pool: p}
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int}}
	sys.Predicates = append(sys.Predicates, pred)
	x := witness.CanonicalParams(p, pred)[0]
	return sys, func(k int64) engine.Lemma { return engine.Lemma{Predicate: pred, Formula: p.Le(x, p.Int(k))} }
}

// TestParticipantsReadWhatOthersPost: each sees what others posted, once and in order, and nothing of its own; a lemma
// that is on the board is not posted again, and "true" never is.
func TestParticipantsReadWhatOthersPost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys, lemma := oneArgument()
		board := engine.NewExchange(sys)
		const members = 3
		var places [members]*engine.Participant
		for i := range places {
			places[i] = board.Join(sys)
		}
		var expected, read [members][]engine.Lemma
		posted := map[int64]bool{}
		t.Repeat(map[string]func(*rapid.T){
			"post": func(t *rapid.T) {
				who := rapid.IntRange(0, members-1).Draw(t, "who")
				var batch []engine.Lemma
				news := 0
				for _, k := range rapid.SliceOfN(rapid.Int64Range(0, 20), 0, 4).Draw(t, "lemmas") {
					batch = append(batch, lemma(k))
					if posted[k] {
						continue
					}
					posted[k] = true
					news++
					for i := range expected {
						if i != who {
							expected[i] = append(expected[i], lemma(k))
						}
					}
				}
				batch = append(batch, engine.Lemma{Predicate: sys.Predicates[0], Formula: sys.Pool.True()})
				require.Equal(t, news, places[who].PostLemmas(batch...))
			},
			"read": func(t *rapid.T) {
				who := rapid.IntRange(0, members-1).Draw(t, "who")
				read[who] = append(read[who], places[who].Lemmas()...)
				require.Equal(t, expected[who], read[who])
				require.Empty(t, places[who].Lemmas())
			},
		})
	})
}

// TestNobodyTakesPart: without a board, and on the board of another system, nothing is posted and nothing read.
func TestNobodyTakesPart(t *testing.T) {
	sys, lemma := oneArgument()
	other, _ := oneArgument()
	var none *engine.Exchange
	require.Nil(t, none.Join(sys))
	board := engine.NewExchange(sys)
	stranger := board.Join(other)
	require.Nil(t, stranger)
	require.Zero(t, stranger.PostLemmas(lemma(1)))
	require.Empty(t, stranger.Lemmas())
	require.Empty(t, board.Join(sys).Lemmas())
	require.Equal(t, 1, board.Join(sys).PostLemmas(lemma(1)))
	require.Len(t, board.Join(sys).Lemmas(), 1)
}

// TestPostsAreReadWhole: whoever reads a part of what was posted at once reads all of it, while several post and read.
func TestPostsAreReadWhole(t *testing.T) {
	sys, lemma := oneArgument()
	board := engine.NewExchange(sys)
	const posters, rounds, size = 4, 50, 5
	var all sync.WaitGroup
	failures := make(chan string, posters)
	for i := range posters {
		all.Go(func() {
			place := board.Join(sys)
			seen := 0
			for r := range rounds {
				var batch []engine.Lemma
				for k := range size {
					batch = append(batch, lemma(int64((i*rounds+r)*size+k)))
				}
				place.PostLemmas(batch...)
				seen += len(place.Lemmas())
				if seen%size != 0 {
					failures <- fmt.Sprintf("%d lemmas were read", seen)
					return
				}
			}
		})
	}
	all.Wait()
	require.Empty(t, failures)
	require.Len(t, board.Join(sys).Lemmas(), posters*rounds*size)
}
