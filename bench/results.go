package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"hornbeam/bench/report"
	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

// ErrNoRuns is in errors of results files that have none of the runs asked for.
var ErrNoRuns = errors.New("no runs")

// Selection says which runs of results files are kept; an empty list keeps all.
type Selection struct{ Tools, Tracks, Families []string }

func (s *Selection) keeps(r *result.Run) bool {
	in := func(words []string, value string) bool { return len(words) == 0 || slices.Contains(words, value) }
	track := r.Track
	if track == "" {
		track = r.List
	}
	return in(s.Tools, r.Tool) && in(s.Tracks, track) && in(s.Families, r.Family)
}

// Sources reads results files, each with the runs that are kept. It is an error if a selection keeps none, but not if the files
// have none: a call whose tools read none of the tasks, or are all missing, leaves such a file.
func (s *Selection) Sources(paths ...string) ([]report.Source, error) {
	var sources []report.Source
	runs := 0
	for _, path := range paths {
		all, err := result.ReadAll(path)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(r *result.Run) bool { return !s.keeps(r) })
		runs += len(all)
		sources = append(sources, report.Source{Path: path, Runs: all})
	}
	if chosen := len(s.Tools) + len(s.Tracks) + len(s.Families); runs == 0 && chosen > 0 {
		return nil, fmt.Errorf("%w in %s", ErrNoRuns, strings.Join(paths, ", "))
	}
	return sources, nil
}

// Board makes the board of the runs that are kept in results files, with what their sessions say.
func (s *Selection) Board(strict bool, paths ...string) (*score.Board, error) {
	sources, err := s.Sources(paths...)
	if err != nil {
		return nil, err
	}
	var runs []*result.Run
	var notes, missing []string
	for _, source := range sources {
		runs = append(runs, source.Runs...)
		n, err := result.SessionNotes(source.Path)
		if err != nil {
			return nil, err
		}
		notes = append(notes, n...)
		m, err := result.MissingTools(source.Path)
		if err != nil {
			return nil, err
		}
		missing = append(missing, m...)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%w in %s", ErrNoRuns, strings.Join(paths, ", "))
	}
	// Where tools are chosen, only these can be missing.
	if len(s.Tools) > 0 {
		missing = slices.DeleteFunc(missing, func(name string) bool { return !slices.Contains(s.Tools, name) })
	}
	b := score.New(runs, score.Options{Strict: strict, Missing: missing})
	b.Notes = append(b.Notes, notes...)
	return b, nil
}

// Operand makes the board of one side of a comparison: of a results file, or, as PATH:tool=NAME, of one tool's runs in it, by
// its name or the label of its column.
func (s *Selection) Operand(operand string) (*score.Board, error) {
	i := strings.LastIndex(operand, ":tool=")
	if i < 0 {
		return s.Board(false, operand)
	}
	path, name := operand[:i], operand[i+len(":tool="):]
	b, err := s.Board(false, path)
	if err != nil {
		return nil, err
	}
	// A label names one column of the board; a name may stand for several, which are then made a board of their own.
	var runs []*result.Run
	var labels []string
	for i, t := range b.Tools {
		labels = append(labels, t.Label)
		if t.Label != name && t.Name != name {
			continue
		}
		for _, k := range b.Tasks {
			if k.Cells[i] != nil {
				runs = append(runs, k.Cells[i].Runs...)
			}
		}
	}
	if runs == nil {
		return nil, fmt.Errorf("%w of a tool %q in %s; it has those of %s", ErrNoRuns, name, path, strings.Join(labels, ", "))
	}
	return score.New(runs, score.Options{}), nil
}

// WriteFile writes a file once all of its text is made: a failure leaves what the file had.
func WriteFile(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
