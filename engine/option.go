package engine

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Option is one setting: the table of options feeds flags, help text, validation and the documentation.
type Option struct {
	Name string
	// Kind is "bool", "int", "duration", "size" or "string".
	Kind    string
	Default string
	// Doc says in a sentence what the option does and, for a heuristic, what it bought.
	Doc string
	// Choices are the allowed values of a string, if they are limited.
	Choices []string
}

// Validate reports what is wrong with a value of the option.
func (o Option) Validate(value string) error {
	var err error
	switch o.Kind {
	case "bool":
		_, err = strconv.ParseBool(value)
	case "int":
		_, err = strconv.Atoi(value)
	case "duration":
		_, err = time.ParseDuration(value)
	case "size":
		_, err = ParseSize(value)
	}
	if err == nil && len(o.Choices) > 0 {
		for _, c := range o.Choices {
			if c == value {
				return nil
			}
		}
		err = fmt.Errorf("choose one of %s", strings.Join(o.Choices, ", "))
	}
	if err != nil {
		return fmt.Errorf("option %s: %q is not a %s: %w", o.Name, value, o.Kind, err)
	}
	return nil
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
	if err != nil {
		return 0, fmt.Errorf("a size is a number and k, M or G: %w", err)
	}
	return n * unit, nil
}

// Values are option values by name over a table of options.
type Values struct {
	table map[string]Option
	set   map[string]string
}

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
	d, _ := time.ParseDuration(v.Text(name))
	return d
}
