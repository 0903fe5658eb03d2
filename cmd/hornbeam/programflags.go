package main

import (
	"os"
	"path/filepath"

	"hornbeam/engine"
)

// reportOptions are the options that say what is written of a verdict on a C program.
func reportOptions() []engine.Option {
	return []engine.Option{
		{Name: "witness", Kind: "string", Default: "", Languages: engine.C | engine.SVLIB, Doc: "the file to which a witness of the verdict is written: on a C program in the format of SV-COMP, version 2.0, on one in SV-LIB in its own"},
		{Name: "harness", Kind: "string", Default: "", Languages: engine.C, Doc: "the file to which a C program is written that repeats what was found: compiled by gcc, it reaches the error and exits with 107"},
		{Name: "harness-run", Kind: "bool", Default: "false", Languages: engine.C, Needs: []string{"harness"}, Doc: "compile the program that --harness writes with gcc, run it, and say whether it reaches the error"},
		{Name: "svcomp", Kind: "bool", Default: "false", Languages: engine.C, Doc: "say the verdict in SV-COMP's words: true, false(PROPERTY), unknown"},
	}
}

// proofOptions are the options about proofs.
func proofOptions() []engine.Option {
	return []engine.Option{
		{Name: "proof", Kind: "bool", Default: "false", Doc: "show the proof of a safe program: what procedures, or functions of C, require and ensure, and the invariants of loops"},
		{Name: "annotate", Kind: "string", Default: "", Doc: "write a safe program to this file with its proof as contracts and invariants, and verify that as --modular does; a C program gets them as comments in ACSL"},
	}
}

// checkCFlags refuses what does not go together.
func checkCFlags(v engine.Values, files []string) error {
	for _, name := range []string{"witness", "harness"} {
		switch file := v.Text(name); {
		case file == "":
		case len(files) > 1:
			return usageError("--%s %s is about one program, and there are %d", name, file, len(files))
		default:
			// Better now than after the proof.
			if _, err := os.Stat(filepath.Dir(file)); err != nil {
				return usageError("--%s %s: %w", name, file, err)
			}
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
	case annotate != "":
		// Better now than after the proof.
		if _, err := os.Stat(filepath.Dir(annotate)); err != nil {
			return usageError("--annotate %s: %w", annotate, err)
		}
	}
	return nil
}
