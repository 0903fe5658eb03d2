package main

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"hornbeam/engine"
)

// reportOptions are the options that say what is written of a verdict on a C program.
func reportOptions() []engine.Option {
	return []engine.Option{
		{Name: "witness", Kind: "string", Default: "", Languages: engine.C | engine.SVLIB, Doc: "the file to which a witness of the verdict is written: on a C program in the format of SV-COMP, version 2.0, on one in SV-LIB in its own"},
		{Name: "harness", Kind: "string", Default: "", Languages: engine.C, Doc: "the file to which a C program is written that repeats what was found: compiled by gcc, it reaches the error and exits with 107"},
		{Name: "harness-run", Kind: "bool", Default: "false", Languages: engine.C, Needs: []string{"harness"}, Doc: "compile the program that --harness writes with gcc, run it, and say whether it reaches the error"},
		{Name: "sarif", Kind: "string", Default: "", Doc: "the file to which a report for code scanning is written, of all inputs together, in SARIF 2.1.0"},
		{Name: "svcomp", Kind: "bool", Default: "false", Languages: engine.C, Doc: "say the verdict in SV-COMP's words: true, false(PROPERTY), unknown"},
	}
}

// proofOptions are the options about proofs.
func proofOptions() []engine.Option {
	return []engine.Option{
		{Name: "proof", Kind: "bool", Default: "false", Doc: "show the proof of a safe program: what procedures, or functions of C, require and ensure, and the invariants of loops"},
		{Name: "annotate", Kind: "string", Default: "", Doc: "write a safe program to this file with its proof as contracts and invariants, and verify that as --modular does; a C program gets them as comments in ACSL, and one of several files is written into a folder"},
	}
}

// checkCFlags refuses what does not go together.
func checkCFlags(v engine.Values, files []string) error {
	for _, name := range []string{"witness", "harness"} {
		switch file := v.Text(name); {
		case file == "":
		case len(files) > 1:
			return usageError("--%s %s is about one program, and there are %d", name, file, len(files))
		}
	}
	mode, signed := v.Text("bits"), v.Text("int")
	switch {
	case v.Bool("32") && v.Bool("64"):
		return usageError("--32 and --64 exclude each other")
	case signed == "math" && mode == "allbv":
		return usageError("--int math takes signed integers for unbounded ones, and --bits allbv makes bit-vectors of all integers: give one of them")
	}
	return nil
}

// checkProofFlags refuses what does not go together.
func checkProofFlags(v engine.Values, files []string) error {
	switch annotate := v.Text("annotate"); {
	case v.Bool("modular") && (v.Bool("proof") || annotate != ""):
		return usageError("with --modular the contracts are the proof: there is none to show or to write")
	case v.Text("blocks") == "procedures" && (v.Bool("proof") || annotate != ""):
		return usageError("with --blocks procedures there are no invariants of loops to be shown or written: --proof and --annotate go with the other choices")
	case annotate != "" && len(files) > 1:
		return usageError("--annotate writes one program, and there are %d", len(files))
	}
	return nil
}

// checkOutputs refuses files for output that cannot be written: better now than after the proof.
// several says that a program has several files, which are annotated in a folder.
func checkOutputs(v engine.Values, files []string, several bool) error {
	if v.Has("annotate") && v.Text("annotate") != "" && several {
		if err := writableFolder(v.Text("annotate")); err != nil {
			return usageError("--annotate %s: %w", v.Text("annotate"), err)
		}
	}
	paths := map[string]string{}
	for _, name := range []string{"witness", "harness", "annotate", "trace-file", "sarif"} {
		if v.Has(name) && v.Text(name) != "" && v.Text(name) != "-" && (name != "annotate" || !several) {
			paths["--"+name+" "+v.Text(name)] = v.Text(name)
		}
	}
	if v.Text("trace") == "html" && v.Text("trace-file") == "" {
		for _, f := range files {
			paths["--trace html: "+f+pageSuffix] = f + pageSuffix
		}
	}
	for _, what := range slices.Sorted(maps.Keys(paths)) {
		if err := writable(paths[what]); err != nil {
			return usageError("%s: %w", what, err)
		}
	}
	return nil
}

// writable opens a file for writing, and leaves what is there as it is.
func writable(path string) error {
	info, err := os.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil // a pipe, which would wait for a reader
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	err = f.Close()
	if isNew {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
