package persona_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify/persona"
)

// TestMain lets the tests' own program be called as one of the tools.
func TestMain(m *testing.M) {
	if tool, ok := persona.Named(os.Args[0]); ok {
		_, err := persona.Run(context.Background(), persona.Call{
			Tool: tool, Arguments: os.Args[1:], In: os.Stdin, Out: os.Stdout, Version: "test", Cache: os.Getenv("HORNBEAM_CACHE"),
			Comment: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) },
			Solver:  portfolio.Request{Open: z3.Open},
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// solc is the version of the compiler.
const solc = "0.8.37"

// compiler installs solc in the user's cache folder, where it stays, and returns the folder of its modules.
func compiler(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed, which solc comes with")
	}
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	folder := filepath.Join(cache, "hornbeam", "solc-"+solc)
	modules := filepath.Join(folder, "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "solc", "soljson.js")); err == nil {
		return modules
	}
	require.NoError(t, os.MkdirAll(folder, 0o700))
	out, err := exec.Command(npm, "install", "--prefix", folder, "--no-audit", "--no-fund", "solc@"+solc).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return modules
}

// path returns a folder with links of the tools' names to the tests' program.
func path(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	folder := t.TempDir()
	for _, tool := range []string{persona.Z3, persona.Eldarica} {
		require.NoError(t, os.Symlink(self, filepath.Join(folder, tool)))
	}
	return folder
}

// output is what solc says about sources.
type output struct {
	Errors []struct {
		ErrorCode, Severity, Message string
		SourceLocation               struct {
			File  string
			Start int
		}
	}
}

// The codes of the messages of solc's model checker about assertions, and of the one about a solver's answer that it cannot use.
const (
	violated  = "6328"
	proved    = "9576"
	unproved  = "7812"
	undecided = "5840"
	unusable  = "1218"
	invariant = "1180"
)

// solc's compiler gets the right verdict for each assertion of the contracts, can use every answer, prints invariants, and shows the
// calls that lead to each failing assertion. The facts of a proof follow from the clauses one by one.
func TestSolc(t *testing.T) {
	modules, tools := compiler(t), path(t)
	queries := t.TempDir()
	environment := append(os.Environ(), "NODE_PATH="+modules, "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"), "HORNBEAM_CACHE="+t.TempDir())
	files, err := filepath.Glob(filepath.Join("testdata", "solidity", "*.sol"))
	require.NoError(t, err)
	require.Len(t, files, 11)
	native := requireVerdicts(t, environment, queries, "native", files)
	require.Greater(t, native.invariants, 4)
	require.GreaterOrEqual(t, native.violations, len(files))
	require.Equal(t, native.violations, native.traces)

	// A program's callback gets the same verdicts and invariants, but solc does not ask it for proofs. The compiler's own command line
	// finds z3 on the path and asks for no invariants.
	some := []string{filepath.Join("testdata", "solidity", "Loops.sol"), filepath.Join("testdata", "solidity", "Token.sol")}
	callback := requireVerdicts(t, environment, t.TempDir(), "callback", some)
	require.Positive(t, callback.invariants)
	require.Zero(t, callback.traces)
	require.Zero(t, requireVerdicts(t, environment, t.TempDir(), "host", some[:1]).invariants)

	asked, err := filepath.Glob(filepath.Join(queries, "*.smt2"))
	require.NoError(t, err)
	proofs := 0
	for _, file := range asked {
		query, err := os.ReadFile(file)
		require.NoError(t, err)
		answer, err := os.ReadFile(file + ".out")
		require.NoError(t, err)
		if query, ok := bytes.CutPrefix(query, []byte("(set-option :produce-proofs true)")); ok {
			query = bytes.Replace(query, []byte("(get-proof)"), nil, 1)
			requireCounterexample(t, file, query, string(answer))
			if proofs++; proofs == 1 {
				require.Equal(t, "unsat\n", call(t, environment, tools, persona.Eldarica, "-hsmt -in -t:20 -ssol", query))
			}
		}
	}
	require.Equal(t, native.violations, proofs)
}

// said counts what solc says about contracts: those with invariants, the assertions that fail, and those of these with the calls that
// lead to it.
type said struct{ invariants, violations, traces int }

// requireVerdicts compiles contracts and holds solc's messages to the comments behind the assertions.
func requireVerdicts(t *testing.T, environment []string, queries, how string, files []string) (counts said) {
	t.Helper()
	compile := exec.Command("node", append([]string{filepath.Join("testdata", "compile.js"), queries, how, nativeZ3 + " -model", nativeZ3Proof}, files...)...)
	compile.Env = environment
	var stderr bytes.Buffer
	compile.Stderr = &stderr
	text, err := compile.Output()
	require.NoError(t, err, "%s", stderr.String())
	var out output
	require.NoError(t, json.Unmarshal(text, &out))
	codes := map[string]map[int]string{}
	for _, e := range out.Errors {
		require.NotEqual(t, "error", e.Severity, e.Message)
		require.NotContains(t, []string{unusable, undecided, unproved}, e.ErrorCode, e.Message)
		switch e.ErrorCode {
		case violated, proved:
			at := e.SourceLocation
			if codes[at.File] == nil {
				codes[at.File] = map[int]string{}
			}
			codes[at.File][at.Start] = e.ErrorCode
			if e.ErrorCode == violated {
				counts.violations++
			}
			if strings.Contains(e.Message, "Transaction trace:\n") {
				counts.traces++
			}
		case invariant:
			counts.invariants++
		}
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		safe, bugs, off := 0, 0, 0
		for line := range strings.Lines(string(source)) {
			at := off + strings.Index(line, "assert(")
			off += len(line)
			switch {
			case strings.HasSuffix(line, "// safe\n"):
				require.Equal(t, proved, codes[filepath.Base(file)][at], "%s: %s", file, line)
				safe++
			case strings.HasSuffix(line, "// bug\n"):
				require.Equal(t, violated, codes[filepath.Base(file)][at], "%s: %s", file, line)
				bugs++
			}
		}
		require.Positive(t, safe*bugs, file)
		require.Len(t, codes[filepath.Base(file)], safe+bugs, file)
	}
	return counts
}

// The command lines of the native compiler.
const (
	nativeZ3 = "-in -smt2 -t:20000 rewriter.pull_cheap_ite=true fp.spacer.q3.use_qgen=true fp.spacer.mbqi=false fp.spacer.ground_pobs=false" +
		" fp.xform.slice=true fp.xform.inline_linear=true fp.xform.inline_eager=true"
	nativeZ3Proof = "-in -smt2 -t:20000 rewriter.pull_cheap_ite=true fp.spacer.q3.use_qgen=true fp.spacer.mbqi=false fp.spacer.ground_pobs=false" +
		" fp.xform.slice=false fp.xform.inline_linear=false fp.xform.inline_eager=false"
)

// call calls a tool with text on standard input and returns what it prints.
func call(t *testing.T, environment []string, tools, tool, arguments string, stdin []byte) string {
	t.Helper()
	command := exec.Command(filepath.Join(tools, tool), strings.Fields(arguments)...)
	command.Env, command.Stdin = environment, bytes.NewReader(stdin)
	out, err := command.Output()
	require.NoError(t, err)
	return string(out)
}

// expression is an S-expression.
type expression struct {
	atom string
	list []*expression
}

func (e *expression) String() string {
	if e.list == nil {
		return e.atom
	}
	parts := make([]string, len(e.list))
	for i, p := range e.list {
		parts[i] = p.String()
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// parse reads the S-expression at the beginning of a text as solc does, and returns the rest.
func parse(text string) (*expression, string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, ""
	case text[0] == '|':
		end := strings.IndexByte(text[1:], '|') + 2
		return &expression{atom: text[:end]}, text[end:]
	case text[0] != '(':
		end := strings.IndexAny(text, " \n()")
		return &expression{atom: text[:end]}, text[end:]
	}
	e := &expression{list: []*expression{}}
	for text = strings.TrimSpace(text[1:]); text != "" && text[0] != ')'; text = strings.TrimSpace(text) {
		var part *expression
		part, text = parse(text)
		e.list = append(e.list, part)
	}
	return e, strings.TrimPrefix(text, ")")
}

// inline replaces the names that lets bind, as solc does before it looks at a proof.
func (e *expression) inline(bound map[string]*expression) *expression {
	if e.list == nil {
		if b := bound[e.atom]; b != nil {
			return b
		}
		return e
	}
	if len(e.list) == 3 && e.list[0].atom == "let" {
		inner := map[string]*expression{}
		for name, b := range bound {
			inner[name] = b
		}
		for _, b := range e.list[1].list {
			inner[b.list[0].atom] = b.list[1].inline(bound)
		}
		return e.list[2].inline(inner)
	}
	out := &expression{list: make([]*expression, len(e.list))}
	for i, part := range e.list {
		out.list[i] = part.inline(bound)
	}
	return out
}

// requireCounterexample reads an answer as solc's Z3CHCSmtLib2Interface does, and holds each step to the query's clauses: there is
// one of which the premises' facts and the step's are an instance.
func requireCounterexample(t *testing.T, file string, query []byte, answer string) {
	t.Helper()
	rest, ok := strings.CutPrefix(answer, "unsat\n")
	require.True(t, ok, answer)
	commands, rest := parse(rest)
	require.Empty(t, strings.TrimSpace(rest))
	i := slices.IndexFunc(commands.list, func(c *expression) bool { return len(c.list) == 2 && c.list[0].atom == "proof" })
	require.GreaterOrEqual(t, i, 0)
	root := commands.list[i].list[1].inline(nil)
	require.Equal(t, "mp", root.list[0].atom)
	require.Equal(t, "false", root.list[len(root.list)-1].atom)

	script, err := smtlib.Read(file, query, term.NewPool())
	require.NoError(t, err)
	solver := newSolver(t, script.System.Pool)
	steps := 0
	var check func(node *expression) chc.App
	check = func(node *expression) chc.App {
		require.Equal(t, "hyper-res", node.list[0].list[1].atom)
		require.Equal(t, "asserted", node.list[1].list[0].atom)
		var premises []chc.App
		for _, child := range node.list[2 : len(node.list)-1] {
			premises = append(premises, check(child))
		}
		fact := readFact(t, script, node.list[len(node.list)-1].String())
		steps++
		require.True(t, slices.ContainsFunc(script.System.Clauses, func(c *chc.Clause) bool {
			return isInstance(t, solver, script.System.Pool, c, premises, fact)
		}), "no clause derives %s", fact)
		return fact
	}
	target := check(root.list[1])
	require.True(t, strings.HasPrefix(target.Pred.Name, "error_target_"), target)
	require.Greater(t, steps, 2)
}

func newSolver(t *testing.T, pool *term.Pool) smt.Solver {
	t.Helper()
	c, err := z3.Open(pool, smt.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	s, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	return s
}

// readFact reads a ground atom over the script's predicates.
func readFact(t *testing.T, script *smtlib.Script, text string) chc.App {
	t.Helper()
	asked, err := smtlib.ReadAsked("fact", []byte("(get-value ("+text+"))"), script)
	require.NoError(t, err)
	atom := asked[0].Term
	require.Equal(t, term.Apply, atom.Op())
	i := slices.IndexFunc(script.Declared, func(p *chc.Predicate) bool { return p.Name == atom.Func().Name })
	return chc.App{Pred: script.Declared[i], Args: atom.Args()}
}

// isInstance reports whether a clause derives a fact from premises.
func isInstance(t *testing.T, solver smt.Solver, pool *term.Pool, c *chc.Clause, premises []chc.App, fact chc.App) bool {
	t.Helper()
	if c.Head == nil || c.Head.Pred != fact.Pred || !slices.EqualFunc(c.Body, premises, func(a, b chc.App) bool { return a.Pred == b.Pred }) {
		return false
	}
	conjuncts := []*term.Term{c.Constraint}
	equate := func(a, b chc.App) {
		for i := range a.Args {
			conjuncts = append(conjuncts, pool.Eq(a.Args[i], b.Args[i]))
		}
	}
	equate(*c.Head, fact)
	for i, a := range c.Body {
		equate(a, premises[i])
	}
	require.NoError(t, solver.Push())
	require.NoError(t, solver.Assert(conjuncts...))
	status, err := solver.Check(t.Context())
	require.NoError(t, err)
	require.NoError(t, solver.Pop())
	return status == smt.Sat
}
