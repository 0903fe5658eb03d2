package score

import (
	"math"
	"slices"
)

// Median is the middle value, or the mean of the two in the middle; NaN without values.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// Quantile is the p-quantile of the values, 0 <= p <= 1, interpolated linearly between the neighbours in order (Hyndman
// and Fan's type 7, the usual one of R, NumPy and spreadsheets); NaN without values.
func Quantile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := p * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

// Resolution is the least CPU time, in seconds, that ratios tell apart: shorter runs count as this long.
const Resolution = 0.001

// Ratio compares the CPU time of two tools on the tasks that both solved. A value below 1 says that A needs less.
type Ratio struct {
	Group
	A string `json:"a"`
	B string `json:"b"`
	// Tasks is how many tasks both solved, or both answered alike where no verdict is known.
	Tasks int `json:"tasks"`
	// Q1, Median and Q3 are the quartiles of CPU(A)/CPU(B) over these tasks.
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	// GeometricMean is of the same ratios.
	GeometricMean float64 `json:"geometricMean"`
}

// ratios compares every two tools, each pair once, in the board's order; pairs without a common task are left out.
func ratios(b *Board, g Group, tasks []*Task) []Ratio {
	var all []Ratio
	for i := range b.Tools {
		for j := i + 1; j < len(b.Tools); j++ {
			var values []float64
			logs := 0.0
			for _, t := range tasks {
				if x, y := t.Cells[i], t.Cells[j]; sameAnswer(x, y) {
					v := max(x.CPU, Resolution) / max(y.CPU, Resolution)
					values = append(values, v)
					logs += math.Log(v)
				}
			}
			if len(values) > 0 {
				all = append(all, Ratio{g, b.Tools[i].Label, b.Tools[j].Label, len(values), Quantile(values, 0.25), Median(values), Quantile(values, 0.75), math.Exp(logs / float64(len(values)))})
			}
		}
	}
	return all
}

// sameAnswer says whether both cells solved their task, or answered it alike where no verdict is known.
func sameAnswer(x, y *Cell) bool {
	return x != nil && y != nil && x.Outcome.Answered() && x.Outcome == y.Outcome && x.Verdict.Agrees(y.Verdict)
}
