package svcomp_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// The rules of the witnesses' formats, version 2.0. A value that a rule calls a text has to be one for a reader of YAML: a
// version 2.0 without quotes would be a number.
type rules struct{ t *testing.T }

// fields checks that an object has all of the needed fields and no others than these and the allowed ones.
func (r rules) fields(what string, v any, needed, allowed []string) map[string]any {
	r.t.Helper()
	m, ok := v.(map[string]any)
	require.True(r.t, ok, "%s is no object: %v", what, v)
	for _, n := range needed {
		require.Contains(r.t, m, n, what)
	}
	for k := range m {
		require.True(r.t, slices.Contains(needed, k) || slices.Contains(allowed, k), "%s has a field %s", what, k)
	}
	return m
}

func (r rules) text(v any, pattern string) string {
	r.t.Helper()
	s, ok := v.(string)
	require.True(r.t, ok, "%v (%T) is no text", v, v)
	require.Regexp(r.t, "^(?s:"+pattern+")$", s)
	return s
}

func (r rules) list(v any, least int) []any {
	r.t.Helper()
	l, ok := v.([]any)
	require.True(r.t, ok, "%v (%T) is no list", v, v)
	require.GreaterOrEqual(r.t, len(l), least)
	return l
}

func (r rules) position(v any) {
	r.t.Helper()
	n, ok := v.(uint64)
	require.True(r.t, ok, "%v (%T) is no number", v, v)
	require.Positive(r.t, n)
}

// witness checks a whole file and returns its content.
func (r rules) witness(text []byte, kind string) []any {
	var file any
	require.NoError(r.t, yaml.Unmarshal(text, &file))
	entries := r.list(file, 1)
	require.Len(r.t, entries, 1)
	e := r.fields("an entry", entries[0], []string{"entry_type", "metadata", "content"}, nil)
	require.Equal(r.t, kind, e["entry_type"])
	m := r.fields("metadata", e["metadata"], []string{"format_version", "uuid", "creation_time", "producer", "task"}, nil)
	r.text(m["format_version"], `2\.0`)
	r.text(m["uuid"], `[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)
	_, err := time.Parse(time.RFC3339, r.text(m["creation_time"], `.+`))
	require.NoError(r.t, err)
	p := r.fields("the producer", m["producer"], []string{"name", "version"}, []string{"configuration", "command_line", "description"})
	r.text(p["name"], ".+")
	r.text(p["version"], ".+")
	t := r.fields("the task", m["task"], []string{"input_files", "input_file_hashes", "specification", "data_model", "language"}, nil)
	files := r.list(t["input_files"], 1)
	hashes, ok := t["input_file_hashes"].(map[string]any)
	require.True(r.t, ok)
	require.Len(r.t, hashes, len(files))
	for _, f := range files {
		r.text(hashes[r.text(f, ".+")], "[0-9a-f]{64}")
	}
	r.text(t["specification"], `CHECK.*`)
	r.text(t["data_model"], "ILP32|LP64")
	r.text(t["language"], "C")
	if kind == "violation_sequence" {
		return r.violation(e["content"])
	}
	return r.correctness(e["content"])
}

func (r rules) location(v any) {
	l := r.fields("a location", v, []string{"file_name", "line"}, []string{"column", "function"})
	r.text(l["file_name"], ".+")
	r.position(l["line"])
	if c, ok := l["column"]; ok {
		r.position(c)
	}
	if f, ok := l["function"]; ok {
		r.text(f, `\w+`)
	}
}

// violation checks segments: each ends with the one waypoint that is to be followed, the last one with the target, which is
// the only one.
func (r rules) violation(content any) []any {
	segments := r.list(content, 1)
	for i, s := range segments {
		waypoints := r.list(r.fields("a segment", s, []string{"segment"}, nil)["segment"], 1)
		for k, item := range waypoints {
			w := r.fields("a waypoint", r.fields("an item", item, []string{"waypoint"}, nil)["waypoint"], []string{"type", "action", "location"}, []string{"constraint"})
			kind := r.text(w["type"], "assumption|branching|function_enter|function_return|target")
			want := "avoid"
			if k == len(waypoints)-1 {
				want = "follow"
			}
			r.text(w["action"], want)
			require.Equal(r.t, i == len(segments)-1 && want == "follow", kind == "target")
			r.location(w["location"])
			c, constrained := w["constraint"]
			require.Equal(r.t, kind == "assumption" || kind == "branching" || kind == "function_return", constrained, kind)
			if !constrained {
				continue
			}
			m := r.fields("a constraint", c, []string{"value"}, []string{"format"})
			switch kind {
			case "assumption":
				r.text(m["value"], ".+")
				r.text(m["format"], "c_expression")
			case "function_return":
				r.text(m["value"], `\\result (==|!=|<=|<|>=|>) (\(?-?\d+U?L?L?( - 1\))?)`)
				r.text(m["format"], "acsl_expression")
			case "branching":
				r.text(m["value"], `true|false|default|-?\d+`)
			}
		}
	}
	return segments
}

func (r rules) correctness(content any) []any {
	invariants := r.list(content, 0)
	for _, i := range invariants {
		v := r.fields("an invariant", r.fields("an item", i, []string{"invariant"}, nil)["invariant"], []string{"type", "location", "value", "format"}, nil)
		r.text(v["type"], "loop_invariant|location_invariant")
		r.location(v["location"])
		r.text(v["value"], ".+")
		r.text(v["format"], "c_expression")
	}
	return invariants
}

// brief is the content of a violation witness in few words, without files.
func brief(content []any) string {
	out := ""
	for _, s := range content {
		w := s.(map[string]any)["segment"].([]any)[0].(map[string]any)["waypoint"].(map[string]any)
		l := w["location"].(map[string]any)
		out += fmt.Sprintf("%v %v:%v %v", w["type"], l["line"], l["column"], l["function"])
		if c, ok := w["constraint"].(map[string]any); ok {
			out += fmt.Sprintf(" %v", c["value"])
		}
		out += "\n"
	}
	return regexp.MustCompile(`<nil>`).ReplaceAllString(out, "-")
}
