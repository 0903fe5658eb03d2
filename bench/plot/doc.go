// Package plot draws what the field draws of measured runs, as SVG and PNG:
//
//   - [Cactus]: how many tasks a tool solves when each may take so long.
//   - [Quantile]: the score-based quantile function of SV-COMP, Fig. 7 of "Counterexample-Guided Bit-Precision Selection".
//   - [Scatter]: two tools task by task, with lines for time-outs, memory-outs and errors, as Fig. 1 and 2 of
//     "Compositional Verification of Procedural Programs using Horn Clauses over Integers and Arrays".
//
// Axes of time are logarithmic. Colours are Okabe and Ito's, which colour-blind readers can tell apart; line styles and
// marks differ as well, so that the plots can be read without colours.
//
// | file | what |
// |---|---|
// | curves.go | the points of cactus and quantile plots |
// | cactus.go | cactus and quantile plots |
// | scatter.go | scatter plots |
// | style.go | colours, dashes, marks, axes |
// | figure.go | [Figure]: writing as SVG and PNG, and for inclusion in a page |
package plot
