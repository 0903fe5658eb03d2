// Package score turns results files into the figures by which competitions and papers compare tools: what each tool
// solved, where it was wrong, how long it took, what only it solved, and how two tools compare on what both solved.
//
//	board := score.New(runs, score.Options{})
//	scores := score.Of(board)
//	diff, err := score.Compare(old, new, score.Noise{})
//
// | file | what |
// |---|---|
// | outcome.go | the outcome of a run, and how repeats are folded to one cell |
// | board.go | [Board]: every task by every tool |
// | variant.go | which runs belong to one tool of the board |
// | summary.go | [Summary]: a tool's figures on a group of tasks; the virtual best tool |
// | ratio.go | medians, quartiles, paired CPU ratios |
// | findings.go | wrong verdicts, disagreements and tasks whose repeats differ |
// | scores.go | [Scores]: all of it, for every track and family |
// | compare.go | [Compare]: what was gained and lost between two boards |
//
// docs/bench-report.md has every definition in one place.
package score
