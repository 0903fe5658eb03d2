package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"hornbeam/engine"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/trace"
)

// traceOptions is the table of the options that say how a program's bug is shown.
func traceOptions() []engine.Option {
	return []engine.Option{
		{Name: "trace", Kind: "string", Default: "text", Choices: []string{"text", "json", "html", "boogie", "none"}, Doc: "how a bug is shown: the run that fails as text, as one line of JSON, as a page with the source beside it (html), of a Boogie program as a program without branches and calls (boogie), or nothing but the verdict"},
		{Name: "trace-file", Kind: "string", Default: "", Languages: engine.Programs, Doc: "the file that the trace of a program is written to, - for standard output; a page goes to FILE.trace.html otherwise, the rest to standard output"},
	}
}

// checkTraceOptions says what is wrong with the options of traces for these files.
func checkTraceOptions(c *cli.Context, v engine.Values, files []string) error {
	file, form := v.Text("trace-file"), v.Text("trace")
	switch {
	case v.Bool("json") && file == "" && given(c, "trace") && (form == "text" || form == "json"):
		return usageError("--trace %s has no effect beside --json, whose object has the trace; --trace none leaves it out", form)
	case file == "" && form == "html" && slices.Contains(files, "-"):
		return usageError("--trace html of standard input needs --trace-file FILE")
	case form == "boogie" && v.Bool("json") && file == "":
		return usageError("--trace boogie beside --json needs --trace-file FILE")
	case file == "-" && v.Bool("json"):
		return usageError("--json writes to standard output, and so would --trace-file -")
	case file == "":
		return nil
	case form == "none":
		return usageError("--trace none writes nothing to --trace-file %s", file)
	case len(files) > 1:
		return usageError("--trace-file %s takes one trace, of one program", file)
	}
	return nil
}

// checkTraceForm says which file's bugs cannot be shown in the form that is asked for.
func (j *job) checkTraceForm() error {
	form := j.values.Text("trace")
	for _, f := range j.files {
		switch {
		case form == "html" && j.holds(f, engine.Clauses):
			return usageError("--trace html is for programs, and %s holds Horn clauses", f)
		case form == "boogie" && !j.holds(f, engine.Boogie):
			return usageError("--trace boogie is for Boogie programs, and %s holds none", f)
		}
	}
	return nil
}

// pageSuffix ends the name of a page whose name is not given, behind that of its program.
const pageSuffix = ".trace.html"

// tracePath is the file that the trace of a program goes to; empty stands for standard output.
func (j *job) tracePath(program string) string {
	switch file := j.values.Text("trace-file"); {
	case file == "-":
		return ""
	case file == "" && j.values.Text("trace") == "html":
		return program + pageSuffix
	default:
		return file
	}
}

// showTrace writes the trace of a program's bug as the options want it. A file that cannot be written is said on standard error: the
// verdict does not depend on it.
func (j *job) showTrace(program string, files *trace.Files, t *trace.Trace) error {
	form, path := j.values.Text("trace"), j.tracePath(program)
	var b bytes.Buffer
	if err := j.writeTrace(&b, form, program, files, t); err != nil || form == "none" {
		return err
	}
	if path == "" {
		_, err := j.out.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		j.err.comment("the trace is not written: %s", err)
		return nil
	}
	if j.values.Bool("json") {
		return nil
	}
	_, err := fmt.Fprintf(j.out, "%s; the trace is in %s\n", inTheSource(t, files).Summary(), path)
	return err
}

// writeTrace writes a trace in one of the forms of --trace.
func (j *job) writeTrace(w io.Writer, form, program string, files *trace.Files, t *trace.Trace) error {
	full := j.values.Bool("full")
	switch form {
	case "json":
		return encoder(w).Encode(t.Document())
	case "boogie":
		text, err := t.Straight()
		if err != nil {
			text = fmt.Sprintf("// the run is not written as a program: %s\n", err)
		}
		_, err = io.WriteString(w, text)
		return err
	case "html":
		return inTheSource(t, files).HTML(w, program, files, full)
	case "text":
		shown, sliced := t, t
		if !full {
			shown = inTheSource(t, files)
			sliced = shown.Slice()
		}
		text, complete := sliced.Text(full)
		if left := len(shown.Steps) - len(sliced.Steps); left > 0 {
			text += fmt.Sprintf("(%s left out that the failure does not depend on; --full shows all)\n", trace.Plural(left, "step"))
		} else if !complete {
			text += "(… stands for what is left out; --full shows it)\n"
		} else if shown != t {
			text += "(the statements of the generated program are left out; --full shows them)\n"
		}
		_, err := io.WriteString(w, text)
		return err
	}
	return nil
}

// inTheSource is the trace in the terms of what its program was made from, if it tells that, and else the trace.
func inTheSource(t *trace.Trace, files *trace.Files) *trace.Trace {
	if t.Generated {
		return replay.InSource(t, files.Line)
	}
	return t
}
