package lsp

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/lsp/document"
	"hornbeam/lsp/inspect"
	"hornbeam/lsp/protocol"
	"hornbeam/verify"
)

// actionKind is the kind of the actions that insert what was proved.
const actionKind = "quickfix"

// mostLabel is how many letters of a condition are shown in a line, or in a title.
const mostLabel = 80

// known is what is known of a text as it is now; nil for nothing.
func (s *server) known(uri string) (*text, *document.Text, *inspect.Report, error) {
	t, err := s.text(uri)
	if err != nil {
		return nil, nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.report == nil || t.verified != t.now && t.verified.String() != t.now.String() {
		return t, t.now, nil, nil
	}
	return t, t.now, t.report, nil
}

// hover says what is known of the name or the loop at a place.
func (s *server) hover(p *protocol.At) (any, error) {
	t, now, report, err := s.known(p.Document.URI)
	if err != nil || report == nil {
		return nil, err
	}
	offset := now.Offset(p.Position)
	var span document.Span
	var parts []string
	for _, f := range report.Facts {
		at, ok := t.occurrence(now, offset, f)
		if !ok {
			continue
		}
		span = at
		if f.Title != "" {
			parts = append(parts, f.Title)
		}
		parts = append(parts, code(t.language, strings.Join(f.Lines, "\n")))
	}
	if parts == nil {
		return nil, nil
	}
	return protocol.Hover{Contents: protocol.Markup{Kind: "markdown", Value: strings.Join(parts, "\n\n")}, Range: now.Range(span)}, nil
}

// code is text in a language, as markdown.
func code(l engine.Languages, text string) string {
	word := map[engine.Languages]string{engine.Boogie: "boogie", engine.C: "c", engine.Clauses: "smt2"}[l]
	return "```" + word + "\n" + text + "\n```"
}

// occurrence is where a fact's name stands around an offset, or what is at its place.
func (t *text) occurrence(now *document.Text, offset int, f inspect.Fact) (document.Span, bool) {
	if f.Name == "" {
		if f.Pos.File != "" && f.Pos.File != t.name {
			return document.Span{}, false
		}
		at := now.Token(t.find(now, f.Pos))
		return at, at.From <= offset && offset <= at.To && at.From < at.To
	}
	text := now.String()
	for from := max(0, offset-len(f.Name)); from <= offset && from+len(f.Name) <= len(text); from++ {
		at := document.Span{From: from, To: from + len(f.Name)}
		if text[at.From:at.To] != f.Name {
			continue
		}
		if now.Word(at.From).From == at.From && now.Word(at.To).To == at.To || quoted(text, at) {
			return at, true
		}
	}
	return document.Span{}, false
}

// quoted reports whether a stretch is between two bars, as SMT-LIB's symbols may be.
func quoted(text string, at document.Span) bool {
	return at.From > 0 && text[at.From-1] == '|' && at.To < len(text) && text[at.To] == '|'
}

// inlayHints are what proofs found at the places of a stretch, behind their lines.
func (s *server) inlayHints(p *protocol.In) (any, error) {
	hints := []protocol.InlayHint{}
	t, now, report, err := s.known(p.Document.URI)
	if err != nil || report == nil || !s.settings(t.name).Hints {
		return hints, err
	}
	from, to := now.Offset(p.Range.Start), now.Offset(p.Range.End)
	for _, place := range byPlace(own(report.Insertions)) {
		at := lineEnd(now, t.find(now, place[0].Pos))
		if at < from || at > to {
			continue
		}
		var conditions []string
		for _, i := range place {
			conditions = append(conditions, i.Conditions...)
		}
		hints = append(hints, protocol.InlayHint{
			Position: now.Position(at), Label: cut(strings.Join(conditions, "; ")), Left: true,
			Tooltip: protocol.Markup{Kind: "markdown", Value: code(t.language, strings.Join(conditions, "\n"))},
			Edits:   edits(now, slices.Concat(place, declarations(own(report.Insertions)))),
		})
	}
	return hints, nil
}

// byPlace are insertions about one place together, in the order of their places in the text. Declarations are about none.
func byPlace(all []verify.Insertion) [][]verify.Insertion {
	var out [][]verify.Insertion
	index := map[chc.Position]int{}
	for _, i := range all {
		if i.Declares() {
			continue
		}
		k, ok := index[i.Pos]
		if !ok {
			k = len(out)
			index[i.Pos] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// own are the insertions into the text itself.
func own(all []verify.Insertion) []verify.Insertion {
	return slices.DeleteFunc(slices.Clone(all), func(i verify.Insertion) bool { return i.File != "" })
}

// declarations are those that others need.
func declarations(all []verify.Insertion) []verify.Insertion {
	return slices.DeleteFunc(slices.Clone(all), func(i verify.Insertion) bool { return !i.Declares() })
}

// lineEnd is the end of the line that an offset is in, without the space there.
func lineEnd(now *document.Text, offset int) int {
	line := now.String()[offset:]
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	return offset + len(strings.TrimRight(line, " \t"))
}

// cut is text in one line and of some letters.
func cut(text string) string {
	letters := []rune(engine.OneLine(text))
	if len(letters) <= mostLabel {
		return string(letters)
	}
	return string(letters[:mostLabel-1]) + "…"
}

// edits insert conditions, in the order of the text.
func edits(now *document.Text, insertions []verify.Insertion) []protocol.TextEdit {
	insertions = slices.Clone(insertions)
	slices.SortStableFunc(insertions, func(a, b verify.Insertion) int { return a.Offset - b.Offset })
	out := []protocol.TextEdit{}
	for k, i := range insertions {
		at := now.Position(i.Offset)
		text := i.Text
		if k+1 == len(insertions) || insertions[k+1].Offset != i.Offset {
			text = i.Alone()
		}
		out = append(out, protocol.TextEdit{Range: document.Range{Start: at, End: at}, Text: text})
	}
	return out
}

// included are insertions into files that a text includes, as they are in the editor or else on the disk, by their addresses. A file that
// was changed in the editor is not the one that was verified.
func (s *server) included(all []verify.Insertion) map[string][]protocol.TextEdit {
	byFile := map[string][]verify.Insertion{}
	for _, i := range all {
		if i.File != "" {
			byFile[i.File] = append(byFile[i.File], i)
		}
	}
	changes := map[string][]protocol.TextEdit{}
	for file, insertions := range byFile {
		uri, ok := address(file)
		on, err := os.ReadFile(file)
		if !ok || err != nil {
			continue
		}
		s.mu.Lock()
		open := s.texts[uri]
		changed := open != nil && open.now.String() != string(on)
		s.mu.Unlock()
		if !changed {
			changes[uri] = edits(document.New(string(on)), insertions)
		}
	}
	return changes
}

// codeActions are those that insert what proofs found at the lines of a stretch, everything that they found in the text, and with that what
// they found in the files that it includes.
func (s *server) codeActions(p *protocol.In) (any, error) {
	actions := []protocol.CodeAction{}
	t, now, report, err := s.known(p.Document.URI)
	wanted := len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(kind string) bool {
		return kind == actionKind || strings.HasPrefix(actionKind, kind+".")
	})
	if err != nil || report == nil || !wanted || len(report.Insertions) == 0 {
		return actions, err
	}
	offer := func(title string, insertions []verify.Insertion) {
		actions = append(actions, protocol.CodeAction{
			Title: title, Kind: actionKind, Edit: protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{t.uri: edits(now, insertions)}},
		})
	}
	mine := own(report.Insertions)
	needed := declarations(mine)
	all, places := 0, byPlace(mine)
	for _, place := range places {
		all += len(place)
		line := now.Position(t.find(now, place[0].Pos)).Line
		if line < p.Range.Start.Line || line > p.Range.End.Line {
			continue
		}
		for _, i := range place {
			offer("Insert "+cut(strings.Join(i.Conditions, "; ")), append([]verify.Insertion{i}, needed...))
		}
		if len(place) > 1 {
			offer(fmt.Sprintf("Insert the %d conditions that were proved here", len(place)), slices.Concat(place, needed))
		}
	}
	if all > 0 {
		offer(fmt.Sprintf("Insert all that was proved in this file (%d)", all), mine)
	}
	if changes := s.included(report.Insertions); len(changes) > 0 {
		title := "Insert what was proved in the files that this one includes"
		if all > 0 {
			title = "Insert all that was proved, in the files that this one includes, too"
			changes[t.uri] = edits(now, mine)
		}
		actions = append(actions, protocol.CodeAction{Title: title, Kind: actionKind, Edit: protocol.WorkspaceEdit{Changes: changes}})
	}
	return actions, nil
}
