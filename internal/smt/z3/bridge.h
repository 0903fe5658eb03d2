// The C side of the binding: every entry point does as much as possible in one call, because crossing from Go costs more
// than most of Z3's own constructors. Go passes flat arrays of 32-bit words and gets flat arrays back.
#ifndef HORNBEAM_BRIDGE_H
#define HORNBEAM_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <z3.h>

// hb_map is an open-addressing map from a pointer (never NULL) to a 32-bit number.
typedef struct {
	const void **keys;
	uint32_t *vals;
	uint32_t cap, len;
} hb_map;

bool hb_map_put(hb_map *m, const void *key, uint32_t val);
bool hb_map_get(const hb_map *m, const void *key, uint32_t *val);
void hb_map_clear(hb_map *m);
void hb_map_free(hb_map *m);

// hb_words and hb_bytes are growing buffers.
typedef struct {
	uint32_t *data;
	size_t len, cap;
} hb_words;

typedef struct {
	char *data;
	size_t len, cap;
} hb_bytes;

// hb_context is a Z3 context with everything that is kept alive in it, each entry with one reference.
typedef struct {
	Z3_context z3;
	// The library's number for Z3_OP_UNINTERPRETED, which 4.8.12 and 4.13.3 count differently: a program may run with
	// another version than that of its header. No other kind that the exports tell apart has changed its number.
	Z3_decl_kind uninterpreted;
	bool nomem; // an allocation of ours failed; the context is unusable from then on
	bool failed; // error holds the first error since hb_take_error
	char error[1024];

	Z3_ast *nodes; // translated terms
	uint32_t n_nodes, cap_nodes;
	Z3_func_decl *vars; // declarations of the constants that stand for variables and proxies; the symbol is the index
	uint32_t n_vars, cap_vars;
	Z3_sort *sorts;
	uint32_t n_sorts, cap_sorts;
	Z3_func_decl *funcs; // declared functions, constructors, testers, selectors
	uint32_t n_funcs, cap_funcs;
	hb_map sort_index, func_index;
	hb_map node_index; // of the first n_indexed nodes; proofs need it
	uint32_t n_indexed;

	Z3_ast *args; // scratch for argument lists
	uint32_t cap_args;

	// What the last export wrote.
	hb_words out;
	hb_bytes text;
	hb_map seen;
	Z3_ast *stack;
	size_t n_stack, cap_stack;
} hb_context;

// Opcodes of hb_build. One instruction makes one node: its first word is opcode | count << 8, where count is the number of
// argument words that follow; the words before the arguments are named here. Nodes are numbered from 0 in the order made.
enum hb_op {
	HB_VAR,       // sort; a fresh constant, also appended to vars
	HB_INT64,     // sort, low, high; a numeral
	HB_NUMERAL,   // sort, offset into the text; a numeral in Z3's notation
	HB_TRUE, HB_FALSE, HB_NOT, HB_AND, HB_OR, HB_ITE, HB_EQ,
	HB_LE, HB_LT, HB_ADD, HB_MUL, HB_REAL_DIV, HB_INT_DIV, HB_MOD, HB_ABS, HB_TO_REAL, HB_TO_INT, HB_IS_INT,
	HB_DIVIDES,   // arguments: a numeral k and t; (= (mod t k) 0)
	HB_SELECT, HB_STORE,
	HB_CONST_ARRAY, // index sort
	HB_APPLY,     // function
	HB_FORALL, HB_EXISTS, // arguments: the bound constants, then the body
	HB_PATTERN,   // arguments: terms; a pattern for HB_FORALL_PATTERNS
	HB_FORALL_PATTERNS, // number of patterns; arguments: the bound constants, the body, the patterns
	HB_BV,        // which: one of hb_bv; binary ones fold to the left over more than two arguments
	HB_BV_INDEXED, // which: one of hb_bv_indexed, first index, second index
};

enum hb_bv {
	HB_BVNOT, HB_BVNEG, HB_BV2NAT,
	HB_BVAND, HB_BVOR, HB_BVXOR, HB_BVADD, HB_BVSUB, HB_BVMUL,
	HB_BVUDIV, HB_BVUREM, HB_BVSDIV, HB_BVSREM, HB_BVSMOD, HB_BVSHL, HB_BVLSHR, HB_BVASHR, HB_CONCAT,
	HB_BVULE, HB_BVSLE, HB_BVCOMP,
};

enum hb_bv_indexed { HB_EXTRACT, HB_ZERO_EXTEND, HB_SIGN_EXTEND, HB_ROTATE_LEFT, HB_ROTATE_RIGHT, HB_REPEAT, HB_NAT2BV };

// Kinds of exported nodes. The first word of a node is kind | count << 8; nodes are numbered from 0 in the order written,
// arguments before the nodes that use them.
enum hb_kind {
	HB_X_VAR,    // index into vars
	HB_X_INT64,  // sort tag, width, low, high; a bit-vector is unsigned
	HB_X_RAT64,  // numerator low, high, denominator low, high
	HB_X_NUMERAL, // sort tag, width, offset, length: the numeral as text
	HB_X_IRRATIONAL, // offset, length
	HB_X_BOUND,  // sort index or ~0, de Bruijn index
	HB_X_OP,     // Z3_decl_kind, sort index or ~0; then the arguments
	HB_X_FUNC,   // index into funcs; then the arguments
	HB_X_ELEMENT, // sort index or ~0, offset, length of the name: a constant of the model that is none of ours
	HB_X_LAMBDA, // sort index or ~0, number of bound variables, 0 for other quantifiers; then the body
	HB_X_TABLE,  // sort index or ~0; then key, value, key, value, ..., the value everywhere else
	HB_X_PROOF,  // offset, length of the rule, conclusion + 1 or 0, n parameters, for each (1 if a number, offset, length); then premises
	HB_X_NODE,   // index into nodes; in proofs
	HB_X_OTHER,  // offset, length: something that has no translation, as text
};

enum hb_sort_tag { HB_TAG_INT, HB_TAG_REAL, HB_TAG_BV };

// hb_set_up makes the settings of the whole library. It is called before the first context is opened.
void hb_set_up(void);

hb_context *hb_open(bool proofs, uint32_t uninterpreted);

// hb_uninterpreted returns the number of the library for Z3_OP_UNINTERPRETED.
uint32_t hb_uninterpreted(void);
void hb_close(hb_context *h);
// hb_note keeps the current error's text; hb_take_error returns the first one kept, NULL when there is none, and forgets it.
void hb_note(hb_context *h);
const char *hb_take_error(hb_context *h);

// Sorts and functions return their index, or -1.
int64_t hb_add_sort(hb_context *h, Z3_sort s);
int64_t hb_basic_sort(hb_context *h, Z3_sort_kind kind, uint32_t width);
int64_t hb_array_sort(hb_context *h, uint32_t index, uint32_t elem);
int64_t hb_uninterpreted_sort(hb_context *h, const char *name);
// hb_datatypes parses declarations and a list of assertions (= x x), one per datatype; the n sorts get consecutive
// indices, and the first one is returned. known sorts have the given names in the text.
int64_t hb_datatypes(hb_context *h, const char *text, uint32_t n, const char *const *names, const uint32_t *known, uint32_t n_known);
// hb_constructor declares the functions of one constructor: itself, its tester, its selectors, with consecutive indices.
int64_t hb_constructor(hb_context *h, uint32_t sort, uint32_t ctor, uint32_t n_fields);
int64_t hb_function(hb_context *h, const char *name, const uint32_t *domain, uint32_t n, uint32_t range);

// hb_build runs n words of instructions. It returns the number of instructions done; fewer than there are means an error,
// and then none of this call's nodes are kept.
uint32_t hb_build(hb_context *h, const uint32_t *code, size_t n, const char *text);

// hb_solver makes the plain solver, or one that chooses tactics, is for integers with small ranges, or makes bits of bit-vectors.
Z3_solver hb_solver(hb_context *h, bool automatic, bool finite, bool blast);
void hb_solver_free(hb_context *h, Z3_solver s);
typedef struct {
	uint32_t arith_solver; // 0: leave the default
	bool ignore_int, weak_arrays, matching;
	bool bits; // a SAT solver's settings only
	uint32_t seed, rlimit;
} hb_params;
bool hb_set_params(hb_context *h, Z3_solver s, const hb_params *p);
bool hb_assert(hb_context *h, Z3_solver s, const uint32_t *nodes, size_t n);
bool hb_push(hb_context *h, Z3_solver s);
bool hb_pop(hb_context *h, Z3_solver s, uint32_t n);
// hb_limit bounds the checks of solvers that have no bound on resources of their own.
void hb_limit(hb_context *h, uint32_t rlimit);
// hb_check first asserts (=> definitions[2i] definitions[2i+1]), then checks under the assumptions. core is all 0 before;
// after unsat core[i] tells whether assumption i was used.
Z3_lbool hb_check(hb_context *h, Z3_solver s, const uint32_t *definitions, size_t n_definitions,
	const uint32_t *assumptions, size_t n, uint8_t *core);
const char *hb_reason(hb_context *h, Z3_solver s);
void hb_interrupt(hb_context *h, Z3_solver s);
// hb_counters are what Z3 counts: the context's work so far, by its resource counter, modulo 2^32, which the statistics of any of its
// solvers have; and of the solver itself, how often it has looked for integers near a solution over the rationals, the rows of its
// largest tableau, the clauses that it has made, and whether it has terms that are bit-vectors.
typedef struct {
	uint32_t resources;
	uint32_t roundings;
	uint32_t rows;
	uint32_t clauses;
	bool bits;
} hb_counters;

hb_counters hb_count(hb_context *h, Z3_solver s);

// hb_model says where the parts of an exported model are: its nodes, and from word tail on pairs (index into vars, node),
// one for each constant, and for each function its index into funcs, the number of entries, for each entry the nodes of the
// arguments and of the value, and the node of the value everywhere else.
typedef struct {
	uint32_t nodes, constants, functions, tail;
} hb_model;

// Exports fill out and text; they return false when Z3 failed or has none. A proof's last node is its root.
bool hb_export_model(hb_context *h, Z3_solver s, hb_model *model);
bool hb_export_proof(hb_context *h, Z3_solver s, uint32_t *nodes);

#endif
