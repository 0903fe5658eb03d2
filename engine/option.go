package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Option is one setting: the table of options feeds flags, help text, validation and the documentation.
type Option struct {
	Name string
	// Kind is "bool", "int", "number", "duration", "size" or "string".
	Kind    string
	Default string
	// Doc says in a sentence what the option does and, for a heuristic, what it bought.
	Doc string
	// Choices are the allowed values of a string or an int, if they are limited.
	Choices []string
	// Check, unless it is nil, returns what is wrong with a value that is allowed otherwise.
	Check func(value string) error
	// Min and Max are the least and the largest value of an int; a Max of zero is no limit.
	Min, Max int
	// Languages are those that the option has an effect on; zero stands for all.
	Languages Languages
	// Needs are options of which one at least must be given for this one to have an effect; none need nothing.
	Needs []string
	// Field is where Bind puts the value: a *bool, *int, *int64, *float64, *uint64 (a size), *time.Duration, *string, or *[]string
	// (words separated by commas or spaces). It gives the Kind. A row without one is read through Values.
	Field any
}

// kindOf is the kind of an option with a field.
func kindOf(field any) string {
	switch field.(type) {
	case *bool:
		return "bool"
	case *int, *int64:
		return "int"
	case *float64:
		return "number"
	case *uint64:
		return "size"
	case *time.Duration:
		return "duration"
	case *string, *[]string:
		return "string"
	}
	panic(fmt.Sprintf("no option has a field of type %T", field))
}

// Table is a table of options whose kinds are those of their fields.
func Table(rows ...Option) []Option {
	for i := range rows {
		rows[i].Kind = kindOf(rows[i].Field)
	}
	return rows
}

// Read returns the options that have the fields of a table, as Bind sets them from the settings.
func Read[O any](table func(*O) []Option, s Settings) (O, error) {
	var o O
	err := Bind(table(&o), s.Options)
	return o, err
}

// Bind sets the fields of a table: to the values in set, which may have names of other tables too, or else to the defaults. The
// error is that of the first value that its option does not allow.
func Bind(table []Option, set map[string]string) error {
	for _, o := range table {
		value, ok := set[o.Name]
		if !ok {
			value = o.Default
		}
		if err := o.Validate(value); err != nil {
			return err
		}
		switch f := o.Field.(type) {
		case *bool:
			*f, _ = strconv.ParseBool(value)
		case *int:
			*f, _ = strconv.Atoi(value)
		case *int64:
			*f, _ = strconv.ParseInt(value, 10, 64)
		case *float64:
			*f, _ = strconv.ParseFloat(value, 64)
		case *uint64:
			n, _ := ParseSize(value)
			*f = uint64(n)
		case *time.Duration:
			*f, _ = ParseDuration(value)
		case *string:
			*f = value
		case *[]string:
			*f = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	return nil
}

// Languages is a set of input languages.
type Languages uint8

// The input languages: Horn clauses in SMT-LIB, Boogie, C and SV-LIB.
const (
	Clauses Languages = 1 << iota
	Boogie
	C
	SVLIB
)

// Programs are the languages of programs.
const Programs = Boogie | C | SVLIB

// String names the languages as a user calls their inputs: "Boogie and C programs".
func (l Languages) String() string {
	if l == Clauses|Programs || l == 0 {
		return "all inputs"
	}
	var names []string
	for _, p := range []struct {
		language Languages
		name     string
	}{{Boogie, "Boogie"}, {C, "C"}, {SVLIB, "SV-LIB"}} {
		if l&p.language != 0 {
			names = append(names, p.name)
		}
	}
	programs := ""
	if n := len(names); n > 0 {
		programs = strings.Join(names, ", ") + " programs"
		if n > 1 {
			programs = strings.Join(names[:n-1], ", ") + " and " + names[n-1] + " programs"
		}
	}
	switch {
	case programs == "":
		return "Horn clauses"
	case l&Clauses != 0:
		return "Horn clauses and " + programs
	}
	return programs
}

// Validate reports what is wrong with a value of the option.
func (o Option) Validate(value string) error {
	var err error
	switch o.Kind {
	case "bool":
		if _, err = strconv.ParseBool(value); err != nil {
			err = errors.New("give true or false")
		}
	case "int":
		err = o.validateInt(value)
	case "number":
		if n, e := strconv.ParseFloat(value, 64); e != nil || n < float64(o.Min) || o.Max > 0 && n > float64(o.Max) {
			err = errors.New("give a number in the option's range")
		}
	case "duration":
		_, err = ParseDuration(value)
	case "size":
		_, err = ParseSize(value)
	}
	if err == nil && o.Check != nil {
		err = o.Check(value)
	}
	if err == nil && len(o.Choices) > 0 && !slices.Contains(o.Choices, value) {
		err = fmt.Errorf("choose one of %s", strings.Join(o.Choices, ", "))
	}
	if err != nil {
		return fmt.Errorf("option %s: bad value %q: %w", o.Name, value, err)
	}
	return nil
}

func (o Option) validateInt(value string) error {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil:
		return errors.New("give a whole number")
	case n < o.Min:
		return fmt.Errorf("give a whole number of at least %d", o.Min)
	case o.Max > 0 && n > o.Max:
		return fmt.Errorf("give a whole number from %d to %d", o.Min, o.Max)
	}
	return nil
}

// ParseDuration reads a time span, not negative: a plain number counts seconds, others have units, as in 1m30s or 200ms.
func ParseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = time.ParseDuration(s + "s")
	}
	if err != nil || d < 0 {
		return 0, errors.New("give a number of seconds or a duration such as 1m30s or 200ms")
	}
	return d, nil
}

// ParseSize reads a number of bytes such as 4G, 512M, 100k or 1048576.
func ParseSize(s string) (int64, error) {
	unit := int64(1)
	for suffix, factor := range map[string]int64{"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, unit = rest, factor
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, errors.New("give a number of bytes such as 4G, 512M, 100k or 1048576")
	}
	return n * unit, nil
}

// Values are option values by name over a table of options.
type Values struct {
	table map[string]Option
	set   map[string]string
}

// Set returns the values that are set, by name.
func (v Values) Set() map[string]string { return v.set }

// Has reports whether the table has an option.
func (v Values) Has(name string) bool { _, ok := v.table[name]; return ok }

// NewValues returns the values of a table with some of them set; an unknown name or a bad value is an error.
func NewValues(table []Option, set map[string]string) (Values, error) {
	v := Values{table: map[string]Option{}, set: set}
	for _, o := range table {
		v.table[o.Name] = o
	}
	for name, value := range set {
		o, ok := v.table[name]
		if !ok {
			continue
		}
		if err := o.Validate(value); err != nil {
			return v, err
		}
	}
	return v, nil
}

// Text returns an option's value as it was written.
func (v Values) Text(name string) string {
	if s, ok := v.set[name]; ok {
		return s
	}
	o, ok := v.table[name]
	if !ok {
		panic("no option " + name)
	}
	return o.Default
}

// Bool returns a validated bool option.
func (v Values) Bool(name string) bool { b, _ := strconv.ParseBool(v.Text(name)); return b }

// Int returns a validated int option.
func (v Values) Int(name string) int { n, _ := strconv.Atoi(v.Text(name)); return n }

// Duration returns a validated duration option.
func (v Values) Duration(name string) time.Duration {
	d, _ := ParseDuration(v.Text(name))
	return d
}
