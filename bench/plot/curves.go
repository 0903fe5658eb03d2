package plot

import (
	"cmp"
	"slices"

	"hornbeam/bench/score"
)

// Point is a place of a curve.
type Point struct{ X, Y float64 }

// shortest is the least time that is drawn, in seconds: a logarithmic axis has no zero.
const shortest = 0.001

// solvedTime is a task that a tool solved.
type solvedTime struct {
	seconds float64
	points  int
}

// solvedTimes are the tasks that the tool solved, the fastest first, and the points of those on which it is wrong.
func solvedTimes(b *score.Board, tool int, by score.Time) (solved []solvedTime, lost int) {
	for _, t := range b.Tasks {
		switch c := t.Cells[tool]; {
		case c == nil:
		case c.Outcome == score.Solved:
			solved = append(solved, solvedTime{max(c.Seconds(by), shortest), score.Points(t, c)})
		case c.Outcome == score.Wrong:
			lost += score.Points(t, c)
		}
	}
	slices.SortStableFunc(solved, func(x, y solvedTime) int { return cmp.Compare(x.seconds, y.seconds) })
	return solved, lost
}

// CactusPoints has for each number n of tasks that the tool solved the time of the n-th fastest of them.
func CactusPoints(b *score.Board, tool int, by score.Time) []Point {
	solved, _ := solvedTimes(b, tool, by)
	points := make([]Point, len(solved))
	for i, s := range solved {
		points[i] = Point{float64(i + 1), s.seconds}
	}
	return points
}

// virtualBestPoints is CactusPoints of the virtual best tool.
func virtualBestPoints(b *score.Board, by score.Time) []Point {
	var times []float64
	for _, t := range b.Tasks {
		least := -1.0
		for _, c := range t.Cells {
			if c != nil && c.Outcome == score.Solved && (least < 0 || c.Seconds(by) < least) {
				least = c.Seconds(by)
			}
		}
		if least >= 0 {
			times = append(times, max(least, shortest))
		}
	}
	slices.Sort(times)
	points := make([]Point, len(times))
	for i, s := range times {
		points[i] = Point{float64(i + 1), s}
	}
	return points
}

// QuantilePoints is the tool's score-based quantile function. The first point is the score of its wrong verdicts alone, at
// the time of the fastest correct one; each further point adds the next fastest correct verdict: its X is the score so
// far, its Y that verdict's time. The last X is the tool's score.
func QuantilePoints(b *score.Board, tool int, by score.Time) []Point {
	solved, sum := solvedTimes(b, tool, by)
	first := shortest
	if len(solved) > 0 {
		first = solved[0].seconds
	}
	points := []Point{{float64(sum), first}}
	for _, s := range solved {
		sum += s.points
		points = append(points, Point{float64(sum), s.seconds})
	}
	return points
}
