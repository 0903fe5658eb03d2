package verify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/lower"
)

// Options say what is asked about a program and how it becomes clauses. Table has their defaults and what each does.
type Options struct {
	Main    string
	Errors  []string
	Modular bool
	Blocks  string
	Dialect string
	Runs    time.Duration
	Strict  bool

	ILP32, LP64 bool
	Bits        string
	Int         string
	ErrorLabel  string
	Arrays      string
	Property    string
	Explore     time.Duration
	MayFail     bool
	All, Cover  bool
	Unwind      int

	// What the preprocessor is told: lists of folders, macros and files, a line each, and the version of C.
	IncludeDirs, Defines, Undefines, Includes, Standard string
	// NondetStatic says that objects that live as long as the program begin with any value.
	NondetStatic bool
	// ACSL says that annotations in comments are read.
	ACSL bool

	// Track is what a C program's translation keeps of its state: "", mem, ptr or reg. The option is the engines', and its other
	// values are names of variables.
	Track string
	// Proof asks for a proof that can be shown, Annotate for the program with it, and Witness for a proof of which a witness can be
	// written: a run that ends without an error is none.
	Proof, Annotate, Witness bool
	// Trace asks for the run that fails.
	Trace bool
}

// NewOptions returns the options with some of them set by name; an option that Table does not have is none of theirs.
func NewOptions(set map[string]string) (Options, error) {
	var o Options
	err := engine.Bind(o.Table(), set)
	return o, err
}

// Table is the options with their names, defaults and fields.
func (o *Options) Table() []engine.Option {
	return engine.Table(
		engine.Option{Name: "main", Field: &o.Main, Languages: engine.Boogie | engine.C, Doc: "the procedure that runs of a Boogie program begin with; otherwise those marked {:entrypoint}, ULTIMATE.start, main, or all that nobody calls"},
		engine.Option{Name: "error", Field: &o.Errors, Languages: engine.Boogie | engine.C, Doc: "procedures or functions of C, separated by commas, that are never to be entered, beside " + strings.Join(replay.ErrorProcedures, " and ")},
		engine.Option{Name: "modular", Field: &o.Modular, Default: "false", Languages: engine.Boogie | engine.C, Doc: "take calls by their contracts and loops by their invariants, as Boogie does, and check each procedure, or function, by itself"},
		engine.Option{Name: "blocks", Field: &o.Blocks, Default: passes.AutoBlocks, Languages: engine.Programs, Check: checkBlocks, Doc: "where programs are cut into clauses: at heads of loops and at procedures (loops), where runs meet too (basic), at every command (single), or at heads of loops and wherever a clause would have more than N atoms (a number N); nowhere in a procedure, where loops become procedures that call themselves (procedures); or at heads of loops, and between procedures only where the clauses would grow much (auto)"},
		engine.Option{Name: "dialect", Field: &o.Dialect, Default: "auto", Languages: engine.Boogie, Choices: []string{"auto", "boogie", "ultimate"}, Doc: "whose Boogie a program is in; auto looks at it"},
		engine.Option{Name: "runs", Field: &o.Runs, Default: "5s", Languages: engine.Boogie | engine.SVLIB, Doc: "how long a Boogie or SV-LIB program is run on concrete values beside the engines, which finds bugs after thousands of turns of a loop that has few choices; 0 is not at all"},
		engine.Option{Name: "strict", Field: &o.Strict, Default: "false", Languages: engine.Boogie, Doc: "refuse modifies clauses that are not complete, instead of inferring them"},
		engine.Option{Name: "32", Field: &o.ILP32, Default: "false", Languages: engine.C, Doc: "a C program is for a machine with int, long and pointers of 32 bits (ILP32)"},
		engine.Option{Name: "64", Field: &o.LP64, Default: "false", Languages: engine.C, Doc: "a C program is for a machine with long and pointers of 64 bits (LP64); that is the default"},
		engine.Option{Name: "bits", Field: &o.Bits, Default: "auto", Languages: engine.C, Choices: append([]string{"auto"}, lower.Modes...), Doc: "how C's integers are represented: by integers that wrap around (ranged), by unbounded integers, by bit-vectors, or by what counterexamples ask for; auto is ranged with bit-vectors beside it"},
		engine.Option{Name: "int", Field: &o.Int, Default: "c", Languages: engine.C, Choices: []string{"c", "wrap", "math", "defined"}, Doc: "what a signed operation that overflows does, which C leaves undefined: it wraps around; integers are unbounded; or the run ends. c looks for a proof of the runs without overflow and one that there is no overflow, beside one of all runs with wrap-around, and says what is assumed where only the first is found; it ends runs of programs that are functions with contracts and no main"},
		engine.Option{Name: "error-label", Field: &o.ErrorLabel, Default: "auto", Languages: engine.C, Doc: "a label of a C program that it is an error to reach; auto takes ERROR for one where a program follows the convention of older benchmarks and has no other errors, none takes none"},
		engine.Option{Name: "arrays", Field: &o.Arrays, Default: "theory", Languages: engine.C, Choices: []string{"theory", "expand"}, Doc: "how C's arrays are represented: as arrays of the solver's theory, or those of known lengths by a variable for each element"},
		engine.Option{Name: "property", Field: &o.Property, Languages: engine.C, Doc: "what is asked about a C program: properties separated by commas, each a .prp file or a name: assertions (the default), overflow, unsigned-overflow, conversion, division, shift, unreachable, uninitialised, memory, leaks, all for all of these, or a name of SV-COMP"},
		engine.Option{Name: "malloc-may-fail", Field: &o.MayFail, Default: "false", Languages: engine.C, Doc: "malloc and its likes may return a null pointer in a C program; otherwise they never fail"},
		engine.Option{Name: "all", Field: &o.All, Default: "false", Languages: engine.Boogie | engine.C, Doc: "say of each check of a program, which is a place and what may fail there, whether a run violates it"},
		engine.Option{Name: "cover", Field: &o.Cover, Default: "false", Languages: engine.Boogie, Doc: "say of each procedure and of each way that a branch leads, instead of what may fail, whether a run reaches it; a run ends where it violates an assertion"},
		engine.Option{Name: "unwind", Field: &o.Unwind, Default: "0", Languages: engine.C, Doc: "look at so many turns of each loop of a C program, and calls of recursive functions inside one another, and say of each check what is found; that a program is safe then says, too, that no run goes on for longer; 0 is no bound"},
		engine.Option{Name: "I", Field: &o.IncludeDirs, Languages: engine.C, Doc: "a folder in which #include looks before the embedded headers; may be given several times, and as -Ifolder"},
		engine.Option{Name: "D", Field: &o.Defines, Languages: engine.C, Doc: "a macro, NAME or NAME=VALUE, that is defined before a C program; may be given several times, and as -DNAME"},
		engine.Option{Name: "U", Field: &o.Undefines, Languages: engine.C, Doc: "a macro that is not defined before a C program, though the compiler or -D would; may be given several times, and as -UNAME"},
		engine.Option{Name: "include", Field: &o.Includes, Languages: engine.C, Doc: "a file that is read before a C program, as by #include; may be given several times"},
		engine.Option{Name: "std", Field: &o.Standard, Default: "gnu11", Languages: engine.C, Check: c.CheckStandard, Doc: "the version of C that __STDC_VERSION__ and __STRICT_ANSI__ tell a C program, as gcc's -std names it; what is read does not depend on it"},
		engine.Option{Name: "acsl", Field: &o.ACSL, Default: "true", Languages: engine.C, Doc: "read annotations in comments of C programs, /*@ ... */ and //@ ..., in ACSL: what they assert, require and ensure and invariants of loops are checked; off with --no-acsl, and where a property is given by a .prp file"},
		engine.Option{Name: "nondet-static", Field: &o.NondetStatic, Default: "false", Languages: engine.C, Doc: "globals and static objects of a C program that are not const begin with any values, instead of their initial ones; with --main, a function is decided in any state"},
		engine.Option{Name: "explore", Field: &o.Explore, Default: "3s", Languages: engine.C, Doc: "the processor time for which runs of a C program are tried at random, beside the proof; 0s tries none"},
	)
}

// HuntTable is the options that a hunt up to a bound has: a bug of a contract is none of a run, and runs know no bound. The options
// that it leaves out are to be switched off, but for all, which a hunt has for Horn clauses, too.
func (o *Options) HuntTable() []engine.Option {
	return slices.DeleteFunc(o.Table(), func(row engine.Option) bool { return row.Name == "modular" || row.Name == "runs" || row.Name == "all" })
}

// reading is what reading a C program depends on, beside its data model.
func (o *Options) reading() c.Options {
	return c.Options{
		IncludeDirs: lines(o.IncludeDirs), Defines: lines(o.Defines), Undefines: lines(o.Undefines), Includes: lines(o.Includes), Standard: o.Standard,
		Physical: o.Witness || o.Annotate, ACSL: o.ACSL && !strings.HasSuffix(o.Property, ".prp"),
	}
}

// lines are the lines of a text that are not empty.
func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return l == "" })
}

// procedures is the word for blocks that are whole bodies of procedures.
const procedures = "procedures"

func checkBlocks(word string) error {
	if word == procedures {
		return nil
	}
	if err := passes.CheckBlocks(word); err != nil {
		return fmt.Errorf("%w, or %s", err, procedures)
	}
	return nil
}

// encodingBlocks are the parts of a program that become single clauses, which a block operator on the clauses joins then.
func (o *Options) encodingBlocks() encode.Blocks {
	switch o.Blocks {
	case "", passes.AutoBlocks, "loops":
		return encode.Loops
	case "single":
		return encode.Single
	case procedures:
		return encode.Procedures
	}
	return encode.Basic
}

// clauseBlocks is the block operator on the clauses.
func (o *Options) clauseBlocks() string {
	if o.Blocks == procedures {
		return passes.AutoBlocks
	}
	return o.Blocks
}

func (o *Options) dialect() boogie.Dialect {
	return map[string]boogie.Dialect{"auto": boogie.DialectAuto, "boogie": boogie.DialectBoogie, "ultimate": boogie.DialectUltimate}[o.Dialect]
}
