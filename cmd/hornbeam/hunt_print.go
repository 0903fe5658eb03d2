package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"hornbeam/chc"
	"hornbeam/chc/witness/calltree"
	"hornbeam/cmd/hornbeam/internal/sarif"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/verify"
)

// huntReport is the JSON object of hunt --json; docs/hunt.md describes it.
type huntReport struct {
	report
	// Bound is the recursion bound up to which there is no bug, when the verdict is unknown.
	Bound   *int               `json:"bound,omitempty"`
	Trace   *calltree.Document `json:"trace,omitempty"`
	Queries []queryReport      `json:"queries,omitempty"`
}

// queryReport is one query of hunt --all --json.
type queryReport struct {
	Clause  int                `json:"clause"`
	Name    string             `json:"name,omitempty"`
	File    string             `json:"file,omitempty"`
	Line    int                `json:"line,omitempty"`
	Column  int                `json:"column,omitempty"`
	Verdict string             `json:"verdict"`
	Reason  string             `json:"reason,omitempty"`
	Bound   *int               `json:"bound,omitempty"`
	Trace   *calltree.Document `json:"trace,omitempty"`
	Witness json.RawMessage    `json:"witness,omitempty"`
}

// conclude prints what is not printed yet and returns the exit code.
func (h *hunt) conclude(ctx context.Context, o huntOutcome) (int, error) {
	h.mu.Lock()
	h.ended = true
	queries := h.queries
	h.mu.Unlock()
	if queries != nil {
		return h.concludeAll(ctx, o, queries.Answers())
	}
	explored := int(h.stats.Get("inline.explored"))
	o.Reason = h.reason(o.Answer, explored)
	if o.Verdict == engine.Unsat {
		steps := o.Refutation.Steps
		h.find(steps[len(steps)-1].Clause, o.Answer)
	} else {
		h.find(nil, o.Answer)
	}
	h.write(h.verdictLine(h.file, o.Verdict.String(), o.Verdict) + o.trace)
	if o.Verdict == engine.Unknown {
		hint := ""
		if h.bound() > 0 && explored >= h.bound() {
			hint = "; --bound 0 goes on"
		}
		h.err.comment("%s%s", o.Reason, hint)
	}
	if o.unprintable != nil {
		h.err.comment("%s", o.unprintable)
	}
	h.write(string(o.text))
	if h.values.Bool("json") {
		r := huntReport{report: newReport(h.file, o.Answer, o.document, h.stats), Trace: o.tree}
		if o.Verdict == engine.Unknown {
			r.Bound = &explored
		}
		if err := encoder(h.out).Encode(r); err != nil {
			return exitInternal, err
		}
	}
	if h.values.Bool("stats") {
		printStats(h.err, o.Answer, h.stats)
	}
	return huntCode(o.Answer), h.failure
}

// find notes for --sarif what is to be said of a query, nil for all of a file's.
func (h *hunt) find(query *chc.Clause, a engine.Answer) {
	f := sarif.Finding{Rule: "query", Place: chc.Position{File: h.file}}
	if query != nil {
		f.Place = query.Pos
	}
	switch a.Verdict {
	case engine.Sat:
		return
	case engine.Unsat:
		f.Message = "the query fails"
	default:
		f.Open, f.Message = true, "not decided: "+engine.OneLine(a.Reason)
	}
	h.findings = append(h.findings, f)
}

// huntCode is the exit code of an answer.
func huntCode(a engine.Answer) int {
	switch {
	case a.Verdict == engine.Unsat:
		return exitBug
	case a.Verdict == engine.Sat:
		return exitOK
	case a.Internal:
		return exitInternal
	}
	return exitInconclusive
}

// reason is why an answer is unknown, with the bound up to which there is no bug.
func (h *hunt) reason(a engine.Answer, explored int) string {
	const bound = "recursion bound"
	switch {
	case a.Verdict != engine.Unknown:
		return ""
	case explored == 0, strings.Contains(a.Reason, bound):
	case a.Reason == "":
		return fmt.Sprintf("no bug up to %s %d", bound, explored)
	default:
		return fmt.Sprintf("%s; no bug up to %s %d", a.Reason, bound, explored)
	}
	return a.Reason
}

// settled is told about each query that --all has settled, and shows the bugs at once.
func (h *hunt) settled(a verify.QueryAnswer) {
	h.log.Info("settled", "query", calltree.Place(a.Query), "verdict", a.Verdict)
	if a.Verdict != engine.Unsat {
		return
	}
	if h.values.Bool("json") {
		return // one object at the end has all
	}
	text := h.failing(a)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ended:
		return
	case !h.printed:
		text = h.verdictLine(h.file, engine.Unsat.String(), engine.Unsat) + text
	case h.values.Text("trace") == "text":
		text = "\n" + text
	}
	h.printed = true
	h.write(text)
}

// failing is what is shown of a query that fails.
func (h *hunt) failing(a verify.QueryAnswer) string {
	if h.values.Text("trace") == "none" {
		return fmt.Sprintf("query %s fails\n", calltree.Place(a.Query))
	}
	tree, err := calltree.New(h.script.System, a.Refutation)
	if err != nil {
		return fmt.Sprintf("query %s fails; its trace cannot be shown: %s\n", calltree.Place(a.Query), engine.OneLine(err.Error()))
	}
	return h.trace(tree)
}

// trace is a tree as --trace wants it.
func (h *hunt) trace(tree *calltree.Tree) string {
	switch h.values.Text("trace") {
	case "json":
		var b strings.Builder
		_ = encoder(&b).Encode(tree.Document())
		return b.String()
	case "none":
		return ""
	}
	text, complete := tree.Text(h.values.Bool("full"))
	if !complete {
		text += "(… stands for what is left out; --full shows it)\n"
	}
	return text
}

// concludeAll ends a hunt for all queries with what is known of each.
func (h *hunt) concludeAll(ctx context.Context, o huntOutcome, answers []verify.QueryAnswer) (int, error) {
	all := engine.Answer{Engine: h.values.Text("engine"), Reason: o.Reason, Internal: o.Internal}
	fails, holds := 0, 0
	for i, a := range answers {
		switch a.Verdict {
		case engine.Unsat:
			fails++
		case engine.Sat:
			holds++
		}
		all.Internal = all.Internal || a.Internal
		if !a.Settled && a.Reason == "" && ctx.Err() != nil {
			answers[i].Reason = portfolio.EndReason(ctx)
		}
	}
	for _, a := range answers {
		h.find(a.Query, engine.Answer{Verdict: a.Verdict, Reason: h.reason(a.Answer, a.Bound)})
	}
	open := len(answers) - fails - holds
	switch {
	case fails > 0:
		all.Verdict = engine.Unsat
	case open == 0:
		all.Verdict = engine.Sat
	case all.Reason == "":
		all.Reason = fmt.Sprintf("%d of %s left open", open, queries(len(answers)))
	}
	if !h.printed {
		h.write(h.verdictLine(h.file, all.Verdict.String(), all.Verdict))
	}
	if all.Verdict == engine.Unknown {
		h.err.comment("%s", all.Reason)
	}
	if h.values.Bool("json") {
		if err := h.writeQueries(all, answers); err != nil {
			return exitInternal, err
		}
	} else if h.values.Text("trace") != "json" {
		h.write(h.summary(answers, fails, holds, open))
	}
	if h.values.Bool("stats") {
		printStats(h.err, all, h.stats)
	}
	return huntCode(all), h.failure
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return fmt.Sprintf("%d queries", n)
}

// summary is the table of all queries.
func (h *hunt) summary(answers []verify.QueryAnswer, fails, holds, open int) string {
	var b strings.Builder
	if h.printed && h.values.Text("trace") == "text" {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s: %d failing, %d proved, %d open\n", queries(len(answers)), fails, holds, open)
	names := queryNames(answers)
	width := 0
	for _, n := range names {
		width = max(width, utf8.RuneCountInString(n))
	}
	for i, a := range answers {
		what := "fails"
		switch a.Verdict {
		case engine.Sat:
			what = "holds at every recursion bound"
		case engine.Unknown:
			what = "open: " + engine.OneLine(h.reason(a.Answer, a.Bound))
		}
		fmt.Fprintf(&b, "  %-*s  %s\n", width, names[i], what)
	}
	return b.String()
}

// queryNames names the queries by their places; several at one place are numbered, as a formula may be several clauses.
func queryNames(answers []verify.QueryAnswer) []string {
	count := map[string]int{}
	for _, a := range answers {
		count[calltree.Place(a.Query)]++
	}
	seen := map[string]int{}
	var names []string
	for _, a := range answers {
		name := calltree.Place(a.Query)
		seen[name]++
		if count[name] > 1 {
			name = fmt.Sprintf("%s case %d of %d", name, seen[name], count[name])
		}
		names = append(names, name)
	}
	return names
}

// writeQueries writes the JSON object of --all.
func (h *hunt) writeQueries(all engine.Answer, answers []verify.QueryAnswer) error {
	r := huntReport{report: newReport(h.file, all, nil, h.stats), Queries: []queryReport{}}
	for _, a := range answers {
		q := queryReport{
			Clause: a.Query.ID, Name: a.Query.Name, File: a.Query.Pos.File, Line: a.Query.Pos.Line, Column: a.Query.Pos.Column,
			Verdict: a.Verdict.String(),
		}
		var err error
		if q.Witness, err = witnessJSON(h.script, a.Answer); err != nil {
			return err
		}
		switch a.Verdict {
		case engine.Unknown:
			q.Reason, q.Bound = engine.OneLine(h.reason(a.Answer, a.Bound)), &a.Bound
		case engine.Unsat:
			if q.Trace, err = h.document(a.Answer); err != nil {
				return err
			}
		}
		r.Queries = append(r.Queries, q)
	}
	return encoder(h.out).Encode(r)
}

// document is the JSON document of the trace of an answer.
func (h *hunt) document(a engine.Answer) (*calltree.Document, error) {
	tree, err := calltree.New(h.script.System, a.Refutation)
	if err != nil {
		return nil, err
	}
	d := tree.Document()
	return &d, nil
}

// write writes to standard output and keeps the first error.
func (h *hunt) write(text string) {
	h.err.apart(func() {
		if _, err := io.WriteString(h.out, text); err != nil && h.failure == nil {
			h.failure = err
		}
	})
}
