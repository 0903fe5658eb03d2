package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// Verdict is what an engine found out about a system.
type Verdict uint8

// The verdicts, in CHC-COMP's sense: Sat has a model (the program is safe), Unsat a refutation.
const (
	Unknown Verdict = iota
	Sat
	Unsat
)

// String returns the word that is printed on the first line of the output.
func (v Verdict) String() string {
	switch v {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	default:
		return "unknown"
	}
}

// Answer is a verdict with its witness: a Model for Sat, a Refutation for Unsat, a Reason for Unknown.
type Answer struct {
	Verdict    Verdict
	Model      *witness.Model
	Refutation *witness.Refutation
	// Reason says in one line why the answer is Unknown.
	Reason string
	// Internal says that the answer is Unknown because of a fault of Hornbeam's: a panic, a broken component or a witness
	// that failed its check.
	Internal bool
	// Engine is the name of the engine that answered, and Strategy that of the portfolio's strategy in which it did.
	Engine, Strategy string
}

// Unfounded is the reason for Unknown when a solver's model does not make its own formulas true in exact evaluation. Either
// they depend on what SMT-LIB leaves open, or the solver's model is wrong.
func Unfounded(what string) string {
	return what + "; this comes from quotients by zero and selectors of another constructor, whose values SMT-LIB leaves open, " +
		"or from arrays over finite sorts, of which solvers' models can be wrong: exclude such arguments in the clauses, or try another --engine"
}

// OneLine makes one line of a text, so that nothing that comes from the input can pass for a verdict.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }), " ")
}

// Settings are what every engine is handed beside the system.
type Settings struct {
	Open smt.Opener
	// CheckOpen opens the checker's solvers, and CheckLimit bounds its queries, for engines that let it decide. A nil CheckOpen stands
	// for Open.
	CheckOpen  smt.Opener
	CheckLimit smt.Limit
	Seed       uint64
	// Options holds engine options by name, already validated by the option table; absent means default.
	Options map[string]string
	Events  Sink
	Log     *slog.Logger
	// Stats receives the engine's counters.
	Stats *Stats
	// Exchange is the board that the engine shares with others on the same system; nil means that nothing is shared.
	Exchange *Exchange
	// Candidates are formulas over witness.CanonicalParams that the source suggests for the predicates of the system. None
	// need hold.
	Candidates map[*chc.Predicate][]*term.Term
	// Inductive returns the largest inductive subset of candidates, formulas over witness.CanonicalParams: together they
	// are preserved by every clause that has a head, so that each holds of every tuple that is derivable. It may return
	// less where the solver decides too few queries. When ctx is done the error is its cause. Nil when there is no inference.
	Inductive func(ctx context.Context, sys *chc.System, candidates map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error)
}

// Engine is one way to decide a system, as data.
type Engine struct {
	Name string
	// Doc says in a sentence or two what the engine does and when to choose it.
	Doc string
	// Options are the engine's own settings.
	Options []Option
	// Fragment returns nil when the engine can work on the system, and otherwise an error that says what it lacks.
	Fragment func(*chc.System) error
	// Solve decides the system. It returns an Unknown answer with a reason when it gives up or ctx is done, and an
	// error only when something broke. It never calls Z3's fixedpoint engine.
	Solve func(context.Context, *chc.System, Settings) (Answer, error)
}

// Inner decides a system that an engine has made: Sat with a model of it, Unsat with a refutation of it, or Unknown, when ctx is done or
// for another reason. Where the system is marked as an approximation, what is asked for is the answer to it as it stands; a refutation
// may come with Unknown then.
type Inner func(context.Context, *chc.System) (Answer, error)

// Event is one line of the trace; Kind is among the documented kinds.
type Event struct {
	// At is the time since the engine's start.
	At   time.Duration
	Kind string
	// Fields are written in this order.
	Fields []Field
}

// Field is a named value of an Event.
type Field struct {
	Name  string
	Value any
}

// Sink receives events. A nil Sink drops them; engines ask Enabled before building costly fields.
type Sink interface {
	Enabled() bool
	Emit(Event)
}

// MarshalJSON writes the event as one object: "at" in seconds, "event", then its fields in order.
func (e Event) MarshalJSON() ([]byte, error) {
	b := []byte(`{"at":`)
	b = strconv.AppendFloat(b, e.At.Seconds(), 'f', 6, 64)
	for _, f := range append([]Field{{"event", e.Kind}}, e.Fields...) {
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		// Formulas are full of < and >, which json.Marshal would escape.
		var value bytes.Buffer
		encoder := json.NewEncoder(&value)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(f.Value); err != nil {
			return nil, fmt.Errorf("field %s of event %s: %w", f.Name, e.Kind, err)
		}
		b = append(append(append(append(b, ','), name...), ':'), bytes.TrimSpace(value.Bytes())...)
	}
	return append(b, '}'), nil
}
