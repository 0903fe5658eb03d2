package ast

// Effect says what an attribute does here.
type Effect uint8

// The effects of attributes.
const (
	// Ignored attributes never change which runs fail: they are hints for a prover, for the text of messages, or for the
	// order and the resources of checks.
	Ignored Effect = iota
	// Implemented attributes change what a program means, and do so here.
	Implemented
	// NotModelled attributes change what a program means in a way that is not followed. Without them the program has more
	// runs that fail, so that a proof holds all the same, but a bug is not reported as one.
	NotModelled
	// Refused attributes make a program one that is not supported.
	Refused
)

// KnownAttribute is one line of the table of attributes.
type KnownAttribute struct {
	Name   string
	Effect Effect
	// Meaning says what the attribute means, for NotModelled in words that follow "the attribute".
	Meaning string
}

// KnownAttributes are the attributes that Boogie, its clients and Ultimate give a meaning to. An attribute that is not
// here is ignored, as Boogie ignores what it does not know.
var KnownAttributes = []KnownAttribute{
	// Of declarations.
	{"extern", Implemented, "of several declarations of a name, one that is marked stands aside"},
	{"ignore", Implemented, "the declaration is read but is no part of the program"},
	{"checksum", Ignored, "identifies a version for a cache of results"},
	{"id", Ignored, "names a statement or an implementation; two statements may not have one name"},
	{"include_dep", Ignored, "for pruning"},
	{"existential", Implemented, "a constant that an inference of contracts chooses"},
	{"ctor", Ignored, "says for which datatype an axiom is instantiated"},
	{"model_const", Ignored, "a name in a counterexample"},
	{"scalar", Ignored, "for SMACK's traces"},
	{"datatype", Refused, "the old syntax of datatypes"},
	{"constructor", Refused, "the old syntax of datatypes"},

	// Of functions.
	{"builtin", Implemented, "the function is an operator of SMT-LIB; a type with it is refused, but for sequences"},
	{"bvbuiltin", Implemented, "the function is an operator of SMT-LIB"},
	{"indices", Implemented, "Ultimate: the indices of an operator of SMT-LIB"},
	{"smtdefined", Implemented, "Ultimate: the function is an expression of SMT-LIB; one that is not understood is taken to have any value"},
	{"inline", Implemented, "a function is its body; a procedure is no entry, and its calls run its body to any depth"},
	{"define", Implemented, "a function is its body"},
	{"overapproximation", NotModelled, "says that the function stands for one with fewer behaviours"},
	{"expand_struct", NotModelled, "says that the function is applied to each field of a record"},
	{"const_array", NotModelled, "says that the function makes a map with one value"},
	{"identity", Ignored, "a hint for the abstract interpreter of Boogie"},
	{"never_pattern", Ignored, "a hint for triggers"},
	{"qid", Ignored, "names a quantifier"},
	{"skolemid", Ignored, "names a quantifier"},
	{"weight", Ignored, "a hint for the instantiation of quantifiers"},
	{"nopats", Ignored, "a hint for triggers"},
	{"pool", Implemented, "values that a quantifier is tried for"},
	{"add_to_pool", Implemented, "puts a value into a pool"},

	// Of variables.
	{"assumption", Implemented, "a local that is true at first, and only assigned a && …"},
	{"linear", NotModelled, "says that the values of variables are disjoint"},
	{"linear_in", NotModelled, "says that the values of variables are disjoint"},
	{"linear_out", NotModelled, "says that the values of variables are disjoint"},

	// Of procedures and implementations.
	{"entrypoint", Implemented, "runs begin here"},
	{"verify", Implemented, "with false, the body is not looked at: calls do what the contract says"},
	{"ForceInline", Ignored, "a hint for Corral"},
	{"SIextraRecBound", Ignored, "a hint for Corral"},
	{"selective_checking", NotModelled, "says that some assertions are only assumed"},
	{"priority", Ignored, "the order in which procedures are verified"},
	{"timeLimit", Ignored, "a limit"},
	{"rlimit", Ignored, "a limit"},
	{"random_seed", Ignored, "for the prover"},
	{"vcs_max_cost", Ignored, "how formulas are split"},
	{"vcs_max_splits", Ignored, "how formulas are split"},
	{"vcs_max_keep_going_splits", Ignored, "how formulas are split"},
	{"vcs_split_on_every_assert", Ignored, "how formulas are split"},
	{"isolate", Ignored, "how formulas are split"},
	{"isolate_paths", Ignored, "how formulas are split"},
	{"yields", Refused, "concurrency"},
	{"layer", Refused, "concurrency"},
	{"atomic", Refused, "concurrency"},
	{"yield_left", Refused, "concurrency"},
	{"yield_right", Refused, "concurrency"},
	{"left", Refused, "concurrency"},
	{"right", Refused, "concurrency"},
	{"both", Refused, "concurrency"},

	// Of statements and contracts.
	{"verified_under", Implemented, "an assertion need hold only where a condition does not; calls and invariants are checked without it"},
	{"always_assume", Implemented, "what is free is assumed in modular verification, too"},
	{"candidate", Implemented, "what an inference of contracts may drop"},
	{"subsumption", Ignored, "whether an assertion is assumed afterwards, which changes no first error"},
	{"start_checking_here", Ignored, "has an effect with selective_checking only"},
	{"split_here", Ignored, "how formulas are split"},
	{"split", Ignored, "how formulas are split"},
	{"focus", Ignored, "how formulas are split"},
	{"only", Ignored, "for Dafny, which removes it"},
	{"minimize", Ignored, "which counterexample is shown"},
	{"maximize", Ignored, "which counterexample is shown"},
	{"captureState", Ignored, "names a place of a trace"},
	{"sourceloc", Ignored, "for traces"},
	{"sourcefile", Ignored, "for traces"},
	{"sourceline", Ignored, "for traces"},
	{"sourceFile", Ignored, "for traces"},
	{"sourceLine", Ignored, "for traces"},
	{"cexpr", Ignored, "for traces"},
	{"verifier.code", Ignored, "for traces"},
	{"branchcond", Ignored, "for traces"},
	{"count", Ignored, "for traces"},
	{"print", Ignored, "for traces"},
	{"msg", Ignored, "the text of an error"},
	{"partition", Ignored, "marks the branches of a condition"},
	{"si_unique_call", Ignored, "numbers a call"},
	{"unroll", Ignored, "a hint"},
	{"OldAssert", Implemented, "Corral: reaching the exit of the entry is the error"},
	{"corral_assert_pt", Ignored, "Corral: where an assertion was"},
}

var knownAttributes = func() map[string]KnownAttribute {
	m := map[string]KnownAttribute{}
	for _, a := range KnownAttributes {
		m[a.Name] = a
	}
	return m
}()

// NotModelled returns the first attribute with a meaning that is not followed; nil when there is none.
func (as Attributes) NotModelled() *Attribute {
	for _, a := range as {
		if knownAttributes[a.Name].Effect == NotModelled && as.Has(a.Name) {
			return a
		}
	}
	return nil
}

// Explain says what an attribute means.
func (a *Attribute) Explain() string {
	return "{:" + a.Name + "} " + knownAttributes[a.Name].Meaning
}
