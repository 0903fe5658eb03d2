package svlib

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/report"
	"hornbeam/frontend/smtlib"
)

// Head is what a witness of a script begins with.
func Head(file, producer string) string {
	quoted := strings.ReplaceAll(file, `"`, `""`)
	return fmt.Sprintf("(set-info :producer \"%s\")\n(set-info :input-files (\"%s\"))\n", producer, quoted)
}

// piece is a part of a composed text: where it begins in that, in lines from 1, and where it is from.
type piece struct {
	start   int
	from    chc.Position
	witness bool
}

// composed is a text made of parts of others. Each begins on a line of its own.
type composed struct {
	text   strings.Builder
	lines  int
	pieces []piece
}

func (c *composed) add(from chc.Position, text string, witness bool) {
	c.pieces = append(c.pieces, piece{c.lines + 1, from, witness})
	c.text.WriteString(text + "\n")
	c.lines += strings.Count(text, "\n") + 1
}

// origin is where a place of the text is from.
func (c *composed) origin(pos chc.Position) chc.Position {
	for _, p := range slices.Backward(c.pieces) {
		if p.start > pos.Line {
			continue
		}
		at := chc.Position{File: p.from.File, Line: p.from.Line + pos.Line - p.start, Column: pos.Column}
		if pos.Line == p.start {
			at.Column += p.from.Column - 1
		}
		return at
	}
	return pos
}

// witnessCommands are those that a witness may have: it declares what its formulas need, and does not assume anything.
var witnessCommands = []string{
	"set-info", "declare-const", "declare-datatype", "declare-datatypes", "declare-fun", "declare-sort", "define-const", "define-fun",
	"define-fun-rec", "define-funs-rec", "define-sort", "annotate-tag", "select-trace",
}

// WithWitness reads a script with the commands of its witness, which has a list of commands for each verify-call, or for each
// behind which there is a get-witness: these stand before it. It returns the verify-calls of which the witness speaks.
func WithWitness(file string, src []byte, witnessFile string, witness []byte) (s *Script, calls []*VerifyCall, err error) {
	defer rescue(&err)
	plain, err := Read(file, src)
	if err != nil {
		return nil, nil, err
	}
	w := smtlib.NewEmbedded(witnessFile, witness, term.NewPool())
	nodes, err := w.Nodes()
	if err != nil {
		return nil, nil, err
	}
	nodes = slices.DeleteFunc(nodes, func(n *smtlib.Node) bool { return n.IsSymbol() }) // the verdict before the witness
	for _, group := range nodes {
		trace := false
		for _, c := range group.List {
			if !slices.Contains(witnessCommands, c.Word()) {
				failAt(w.Pos(c), "%q is no command of a witness", c.Word())
			}
			trace = trace || c.Word() == "select-trace"
		}
		for _, c := range group.List {
			if trace && c.Word() == "annotate-tag" {
				failAt(w.Pos(c), "a witness with a select-trace gives no annotations: the run has to break one of the script")
			}
		}
	}
	spoken := slices.DeleteFunc(slices.Clone(plain.Calls), func(c *VerifyCall) bool { return !c.Witness })
	if len(spoken) != len(nodes) {
		spoken = plain.Calls
	}
	if len(nodes) == 0 || len(nodes) > len(spoken) {
		failAt(chc.Position{File: witnessFile, Line: 1, Column: 1}, "%d witnesses for %d calls", len(nodes), len(spoken))
	}
	c := &composed{}
	from, done := chc.Position{File: file, Line: 1, Column: 1}, 0
	for i, n := range nodes {
		start := spoken[i].start
		c.add(from, string(src[done:start]), false)
		if len(n.List) > 0 {
			begin, _ := n.List[0].Bounds()
			_, end := n.List[len(n.List)-1].Bounds()
			c.add(w.Pos(n.List[0]), string(witness[begin:end]), true)
		}
		from, done = spoken[i].Pos, start
	}
	c.add(from, string(src[done:]), false)
	s, err = readFrom(file, []byte(c.text.String()), c.origin, c.inWitness)
	if e, ok := err.(*report.Error); ok {
		e.Pos = c.origin(e.Pos)
	}
	if err != nil {
		return nil, nil, err
	}
	for i := range nodes {
		calls = append(calls, s.Calls[spoken[i].Index])
	}
	return s, calls, nil
}

// inWitness reports whether a place of the text is one of the witness.
func (c *composed) inWitness(pos chc.Position) bool {
	i := slices.IndexFunc(c.pieces, func(p piece) bool { return p.start > pos.Line })
	if i < 0 {
		i = len(c.pieces)
	}
	return i > 0 && c.pieces[i-1].witness
}

// Leaps reports whether a trace has steps to states that only annotations allow.
func (t *Trace) Leaps() bool {
	return slices.ContainsFunc(t.Steps, func(s Step) bool { return s.Kind == "leap" })
}
