package interpret_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
)

// A run with a large input becomes the shortest one that ends in the same error.
func TestShorten(t *testing.T) {
	p := prepare(t, declarations+`int main(void) { int n = nondet(), other = nondet(); if (n < 0) return 0; for (int i = 0; i < n; i++) other++; if (n > 6) reach_error(); return 0; }`, c.LP64, interpret.Options{})
	long := &queue{900, 77}
	recorder := &interpret.Recorder{Choices: long}
	before, err := p.Run(context.Background(), recorder, nil)
	require.NoError(t, err)
	require.Equal(t, interpret.ErrorReached, before.Kind)
	short := p.Shorten(context.Background(), recorder.Script)
	var answers []string
	after, err := p.Run(context.Background(), short, func(e interpret.Event) {
		if e.Kind == interpret.Chosen {
			answers = append(answers, e.Value.String())
		}
	})
	require.NoError(t, err)
	require.Equal(t, interpret.ErrorReached, after.Kind)
	require.Less(t, after.Steps+after.Skipped, (before.Steps+before.Skipped)/20)
	require.Equal(t, []string{"7", "0"}, answers)
}

// Turns of a loop that the error does without are left out, with all that is asked in them.
func TestShortenLeavesTurnsOut(t *testing.T) {
	p := prepare(t, declarations+`int main(void) { int opened = 0; for (int i = 0; i < 30; i++) { int e = nondet(); int f = nondet(); if (e == 1) opened = f; if (e == 2 && opened == 5) reach_error(); } return 0; }`, c.LP64, interpret.Options{})
	long := &queue{7, 0, 7, 0, 1, 5, 9, 9, 7, 7, 0, 0, 0, 3, 2, 4}
	recorder := &interpret.Recorder{Choices: long}
	before, err := p.Run(context.Background(), recorder, nil)
	require.NoError(t, err)
	require.Equal(t, interpret.ErrorReached, before.Kind)
	var answers []string
	after, err := p.Run(context.Background(), p.Shorten(context.Background(), recorder.Script), func(e interpret.Event) {
		if e.Kind == interpret.Chosen {
			answers = append(answers, e.Value.String())
		}
	})
	require.NoError(t, err)
	require.Equal(t, interpret.ErrorReached, after.Kind)
	require.Equal(t, []string{"1", "5", "2", "0"}, answers)
}

// An answer is made smaller when a later one lets it.
func TestShortenAgain(t *testing.T) {
	p := prepare(t, declarations+`int main(void) { int n = nondet(), top = 0; for (int i = 0; i < n && i < 9; i++) top++; if (nondet()) top--; if (top > 2) reach_error(); return 0; }`, c.LP64, interpret.Options{})
	recorder := &interpret.Recorder{Choices: &queue{8, 1}}
	_, err := p.Run(context.Background(), recorder, nil)
	require.NoError(t, err)
	var answers []string
	_, err = p.Run(context.Background(), p.Shorten(context.Background(), recorder.Script), func(e interpret.Event) {
		if e.Kind == interpret.Chosen {
			answers = append(answers, e.Value.String())
		}
	})
	require.NoError(t, err)
	require.Equal(t, []string{"3", "0"}, answers)
}

// A run that does not reach an error stays as it is.
func TestShortenOfAnotherRun(t *testing.T) {
	p := prepare(t, declarations+`int main(void) { return nondet(); }`, c.LP64, interpret.Options{})
	s := interpret.NewScript()
	require.Same(t, s, p.Shorten(context.Background(), s))
}

// A run with more answers than there is work for is shortened until that work is spent, without a look at each pair of them.
func TestShortenOfManyAnswers(t *testing.T) {
	p := prepare(t, declarations+`int main(void) { int sum = 0; for (int i = 0; i < 400000; i++) if (nondet() == i) sum++; if (sum == 0) reach_error(); return 0; }`, c.LP64, interpret.Options{})
	long := make(queue, 400_000)
	for i := range long {
		long[i] = -1
	}
	recorder := &interpret.Recorder{Choices: &long}
	_, err := p.Run(context.Background(), recorder, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p.Shorten(ctx, recorder.Script)
	require.NoError(t, ctx.Err(), "the budget ends it, not the time")
}

// queue answers with numbers in turn.
type queue []int64

func (q *queue) Choose(interpret.Question) (interpret.Value, error) {
	v := (*q)[0]
	*q = (*q)[1:]
	return interpret.Int(v), nil
}

// The accesses to memory of a run are told, those of library functions too.
func TestWatch(t *testing.T) {
	p := prepare(t, declarations+`int main(void) { char a[4] = "abc", b[4]; memcpy(b, a, 4); return b[1]; }`, c.LP64, interpret.Options{})
	written, read := map[uint64]bool{}, map[uint64]bool{}
	_, err := p.Watch(context.Background(), interpret.NewScript(), func(interpret.Event) {}, func(a interpret.Access) {
		for i := range uint64(a.Size) {
			if a.Write {
				written[a.Address+i] = true
			} else {
				require.True(t, written[a.Address+i], "what is read was written")
				read[a.Address+i] = true
			}
		}
	})
	require.NoError(t, err)
	require.Len(t, read, 5, "all of a and one of b")
}
