package plot_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench/internal/resulttest"
	"hornbeam/bench/plot"
	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

func board(runs ...*result.Run) *score.Board { return score.New(runs, score.Options{}) }

var example = []*result.Run{
	resulttest.Run("a", "t1", result.Sat, result.Sat, 4), resulttest.Run("b", "t1", result.Sat, result.Sat, 2),
	resulttest.Run("a", "t2", result.Unsat, result.Unsat, 1), resulttest.Run("b", "t2", result.Unsat, result.None, 20),
	resulttest.Run("a", "t3", result.Sat, result.Sat, 0), resulttest.Run("b", "t3", result.Sat, result.Unknown, 1),
	resulttest.Run("a", "t4", result.Unsat, result.Sat, 2), resulttest.Run("b", "t4", result.Unsat, result.Unsat, 3),
	resulttest.Run("a", "t5", result.Sat, result.Unsat, 2), resulttest.Run("b", "t5", result.Sat, result.Sat, 9),
	resulttest.Run("a", "t6", result.None, result.Sat, 2), resulttest.Run("b", "t6", result.None, result.Sat, 1),
}

func TestACactusHasTheTimeOfTheNthFastestSolvedTask(t *testing.T) {
	b := board(example...)
	require.Equal(t, []plot.Point{{1, 0.001}, {2, 1}, {3, 4}}, plot.CactusPoints(b, 0, score.CPU))
	require.Equal(t, []plot.Point{{1, 2}, {2, 3}, {3, 9}}, plot.CactusPoints(b, 1, score.CPU))
}

func TestAQuantileFunctionBeginsAtTheWrongVerdictsAndEndsAtTheScore(t *testing.T) {
	b := board(example...)
	require.Equal(t, []plot.Point{{-48, 0.001}, {-46, 0.001}, {-45, 1}, {-43, 4}}, plot.QuantilePoints(b, 0, score.CPU))
	require.Equal(t, []plot.Point{{0, 2}, {2, 2}, {3, 3}, {5, 9}}, plot.QuantilePoints(b, 1, score.CPU))
	require.Equal(t, []plot.Point{{-32, 0.001}}, plot.QuantilePoints(board(resulttest.Run("a", "t", result.Unsat, result.Sat, 1)), 0, score.CPU))
	rapid.Check(t, func(t *rapid.T) {
		b := board(resulttest.Competition(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 25).Draw(t, "tasks"))...)
		s := score.Of(b)
		for i := range b.Tools {
			points := plot.QuantilePoints(b, i, score.Wall)
			require.Equal(t, float64(s.Overall[i].Points), points[len(points)-1].X)
			require.Len(t, points, s.Overall[i].Solved+1)
			require.Len(t, plot.CactusPoints(b, i, score.Wall), s.Overall[i].Solved)
			for j := 1; j < len(points); j++ {
				require.Less(t, points[j-1].X, points[j].X)
				require.LessOrEqual(t, points[j-1].Y, points[j].Y)
			}
		}
	})
}

// wellFormed parses the text as XML and returns what is written in it.
func wellFormed(t *testing.T, text string) string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	var words []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(words, "\n")
		}
		require.NoError(t, err)
		if chars, ok := token.(xml.CharData); ok {
			words = append(words, strings.TrimSpace(string(chars)))
		}
	}
}

func svg(t *testing.T, f *plot.Figure) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, f.SVG(&out))
	return out.String()
}

func TestFiguresSayInWordsWhatTheyShow(t *testing.T) {
	figures := plot.All(board(example...), score.CPU, plot.Kinds...)
	require.Len(t, figures, 3)
	want := map[string][]string{
		"cactus":      {"tasks solved", "cpu time (s)", "limit 20 s", "virtual best", "a", "b", "0.1", "10"},
		"quantile":    {"accumulated score", "limit 20 s", "-20", "a", "b"},
		"scatter-1-2": {"b against a", "a: cpu time (s)", "b: cpu time (s)", "time-out (20 s)", "memory-out", "sat (1)", "no known verdict (1)", "time-out (1)", "unknown or error (1)", "wrong verdict (2)"},
	}
	for _, f := range figures {
		words := strings.Split(wellFormed(t, svg(t, f)), "\n")
		for _, w := range want[f.Name] {
			require.Contains(t, words, w, f.Name)
		}
		require.Contains(t, words, f.Title)
	}
	require.Contains(t, figures[2].Caption, "both answered 2, only a 2, only b 2, neither 0")
}

func TestAPNGIsAPictureOnWhite(t *testing.T) {
	for _, f := range []*plot.Figure{plot.Cactus(board(example...), score.Wall), plot.Scatter(board(example...), 0, 1, score.Wall)} {
		var out bytes.Buffer
		require.NoError(t, f.PNG(&out))
		decoded, err := png.Decode(&out)
		require.NoError(t, err)
		require.Greater(t, decoded.Bounds().Dx(), 1000)
		picture := image.NewNRGBA(decoded.Bounds())
		draw.Draw(picture, picture.Bounds(), decoded, image.Point{}, draw.Src)
		require.Equal(t, []byte{0xff, 0xff, 0xff, 0xff}, picture.Pix[:4])
		blue, green := []byte{0x00, 0x72, 0xB2, 0xFF}, []byte{0x00, 0x9E, 0x73, 0xFF}
		require.True(t, bytes.Contains(picture.Pix, blue) || bytes.Contains(picture.Pix, green), "%s: the first tool's blue, or the time-outs' green", f.Name)
	}
}

func TestAnInlineFigureTakesThePagesColour(t *testing.T) {
	text := plot.Cactus(board(example...), score.CPU).Inline()
	wellFormed(t, text)
	require.True(t, strings.HasPrefix(text, "<svg viewBox="))
	require.NotContains(t, text, "#000000")
	require.NotContains(t, text, "#fff\"")
	require.Contains(t, text, "currentColor")
	require.Contains(t, text, "aria-label=")
}

func TestLabelsFromOutsideBreakNoFigure(t *testing.T) {
	for _, f := range plot.All(board(resulttest.Run("<b>\"&\x01", "t", result.Sat, result.Sat, 1), resulttest.Run(strings.Repeat("long ", 40), "t", result.Sat, result.Sat, 1)), score.CPU, plot.Kinds...) {
		wellFormed(t, svg(t, f))
		wellFormed(t, f.Inline())
		require.Contains(t, svg(t, f), "&lt;b&gt;")
	}
}

func TestThereIsAFigureOfAnything(t *testing.T) {
	limitless := resulttest.Run("a", "t", result.Sat, result.Sat, 0)
	limitless.Limits = result.Limits{}
	other := resulttest.Run("b", "t", result.Sat, result.None, 0)
	other.Limits = result.Limits{Memory: 1}
	for name, runs := range map[string][]*result.Run{
		"nothing": nil, "one solved": example[:1], "nothing solved": {example[3]}, "only wrong": {example[6]}, "no limits": {limitless, other},
		"two tools without a common task": {example[0], example[3]},
		"times beyond measure":            {resulttest.Run("a", "t", result.Sat, result.Sat, 1e307), resulttest.Run("b", "t", result.Sat, result.Sat, 1)},
		"over the limit":                  {resulttest.Run("a", "t", result.Sat, result.Sat, 1000), resulttest.Run("b", "t", result.Sat, result.Sat, 21)},
	} {
		for _, f := range plot.All(board(runs...), score.CPU, plot.Kinds...) {
			require.NotEmpty(t, svg(t, f), name)
			wellFormed(t, f.Inline())
		}
	}
}

func TestTheSameResultsMakeTheSameFigure(t *testing.T) {
	runs := resulttest.Competition(3, 40)
	for i, f := range plot.All(board(runs...), score.CPU, plot.Kinds...) {
		require.Equal(t, svg(t, f), svg(t, plot.All(board(runs...), score.CPU, plot.Kinds...)[i]))
	}
}

func TestMarksOfOneKindAreOnePath(t *testing.T) {
	drawn := func(tasks int) (paths, arcs int) {
		var runs []*result.Run
		for i := range tasks {
			seconds := 0.1 * float64(1+i%7)
			runs = append(runs, resulttest.Run("a", fmt.Sprint(i), result.Sat, result.Sat, seconds), resulttest.Run("b", fmt.Sprint(i), result.Sat, result.Sat, 2*seconds))
		}
		text := svg(t, plot.Scatter(board(runs...), 0, 1, score.CPU))
		wellFormed(t, text)
		return strings.Count(text, "<path"), strings.Count(text, "A")
	}
	paths, arcs := drawn(20)
	_, one := drawn(21)
	more, all := drawn(1000)
	require.Equal(t, paths, more)
	require.Equal(t, arcs+980*(one-arcs), all, "no mark is left out")
	require.Positive(t, one-arcs)
}
