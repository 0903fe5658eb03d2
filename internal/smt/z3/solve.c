// Solvers: assertions, scopes, checks.
#include "bridge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ok(hb_context *h) {
	hb_note(h);
	return !h->failed;
}

// then returns a tactic that applies one after the other; it takes both over.
static Z3_tactic then(hb_context *h, Z3_tactic first, Z3_tactic second) {
	Z3_tactic both = Z3_tactic_and_then(h->z3, first, second);
	if (both != NULL)
		Z3_tactic_inc_ref(h->z3, both);
	Z3_tactic_dec_ref(h->z3, first);
	Z3_tactic_dec_ref(h->z3, second);
	return both;
}

// blaster returns a solver that makes bits of what is left after equations are solved.
static Z3_solver blaster(hb_context *h) {
	static const char *const names[] = {"simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "simplify", "bit-blast", "sat"};
	Z3_tactic all = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		Z3_tactic next = Z3_mk_tactic(h->z3, names[i]);
		if (next == NULL) {
			if (all != NULL)
				Z3_tactic_dec_ref(h->z3, all);
			return NULL;
		}
		Z3_tactic_inc_ref(h->z3, next);
		all = all == NULL ? next : then(h, all, next);
		if (all == NULL)
			return NULL;
	}
	Z3_solver s = Z3_mk_solver_from_tactic(h->z3, all);
	if (s != NULL)
		Z3_solver_inc_ref(h->z3, s);
	Z3_tactic_dec_ref(h->z3, all);
	return s;
}

Z3_solver hb_solver(hb_context *h, bool automatic, bool finite, bool blast) {
	Z3_solver s;
	if (blast) {
		s = blaster(h);
		return ok(h) ? s : NULL;
	}
	if (finite)
		s = Z3_mk_solver_for_logic(h->z3, Z3_mk_string_symbol(h->z3, "QF_FD"));
	else
		s = automatic ? Z3_mk_solver(h->z3) : Z3_mk_simple_solver(h->z3);
	if (s == NULL || !ok(h))
		return NULL;
	Z3_solver_inc_ref(h->z3, s);
	return s;
}

void hb_solver_free(hb_context *h, Z3_solver s) { Z3_solver_dec_ref(h->z3, s); }

static Z3_symbol name(hb_context *h, const char *s) { return Z3_mk_string_symbol(h->z3, s); }

bool hb_set_params(hb_context *h, Z3_solver s, const hb_params *p) {
	Z3_params params = Z3_mk_params(h->z3);
	if (params == NULL)
		return ok(h);
	Z3_params_inc_ref(h->z3, params);
	if (p->arith_solver != 0 && !p->bits)
		Z3_params_set_uint(h->z3, params, name(h, "arith.solver"), p->arith_solver);
	if (!p->bits) {
		Z3_params_set_bool(h->z3, params, name(h, "arith.ignore_int"), p->ignore_int);
		Z3_params_set_bool(h->z3, params, name(h, "array.weak"), p->weak_arrays);
	}
	if (p->matching && !p->bits) {
		Z3_params_set_bool(h->z3, params, name(h, "mbqi"), false);
		Z3_params_set_double(h->z3, params, name(h, "qi.eager_threshold"), 100);
	}
	Z3_params_set_uint(h->z3, params, name(h, "random_seed"), p->seed);
	if (!p->bits)
		Z3_params_set_uint(h->z3, params, name(h, "rlimit"), p->rlimit);
	// Z3 would otherwise replace the process's handler of SIGINT during every check.
	Z3_params_set_bool(h->z3, params, name(h, "ctrl_c"), false);
	Z3_solver_set_params(h->z3, s, params);
	bool done = ok(h);
	Z3_params_dec_ref(h->z3, params);
	return done;
}

void hb_limit(hb_context *h, uint32_t rlimit) {
	char text[16];
	snprintf(text, sizeof text, "%u", rlimit);
	Z3_update_param_value(h->z3, "rlimit", text);
}

bool hb_assert(hb_context *h, Z3_solver s, const uint32_t *nodes, size_t n) {
	for (size_t i = 0; i < n; i++) {
		Z3_solver_assert(h->z3, s, h->nodes[nodes[i]]);
		if (!ok(h))
			return false;
	}
	return true;
}

bool hb_push(hb_context *h, Z3_solver s) {
	Z3_solver_push(h->z3, s);
	return ok(h);
}

bool hb_pop(hb_context *h, Z3_solver s, uint32_t n) {
	Z3_solver_pop(h->z3, s, n);
	return ok(h);
}

static bool define(hb_context *h, Z3_solver s, Z3_ast proxy, Z3_ast term) {
	Z3_ast implies = Z3_mk_implies(h->z3, proxy, term);
	if (implies == NULL || !ok(h))
		return false;
	Z3_inc_ref(h->z3, implies);
	Z3_solver_assert(h->z3, s, implies);
	bool done = ok(h);
	Z3_dec_ref(h->z3, implies);
	return done;
}

static void read_core(hb_context *h, Z3_solver s, const uint32_t *assumptions, size_t n, uint8_t *core) {
	Z3_ast_vector v = Z3_solver_get_unsat_core(h->z3, s);
	if (v == NULL || !ok(h))
		return;
	Z3_ast_vector_inc_ref(h->z3, v);
	uint32_t size = Z3_ast_vector_size(h->z3, v);
	if (size * n <= 1024) {
		for (uint32_t j = 0; j < size; j++) {
			Z3_ast used = Z3_ast_vector_get(h->z3, v, j);
			for (size_t i = 0; i < n; i++)
				core[i] |= h->nodes[assumptions[i]] == used;
		}
	} else {
		uint32_t one;
		hb_map_clear(&h->seen);
		for (uint32_t j = 0; j < size; j++) {
			if (!hb_map_put(&h->seen, Z3_ast_vector_get(h->z3, v, j), 1))
				h->nomem = true;
		}
		for (size_t i = 0; i < n; i++)
			core[i] = hb_map_get(&h->seen, h->nodes[assumptions[i]], &one);
	}
	Z3_ast_vector_dec_ref(h->z3, v);
}

Z3_lbool hb_check(hb_context *h, Z3_solver s, const uint32_t *definitions, size_t n_definitions,
	const uint32_t *assumptions, size_t n, uint8_t *core) {
	for (size_t i = 0; i < n_definitions; i++) {
		if (!define(h, s, h->nodes[definitions[2 * i]], h->nodes[definitions[2 * i + 1]]))
			return Z3_L_UNDEF;
	}
	if (n > h->cap_args) {
		void *p = realloc(h->args, n * sizeof *h->args);
		if (p == NULL) {
			h->nomem = true;
			hb_note(h);
			return Z3_L_UNDEF;
		}
		h->args = p;
		h->cap_args = (uint32_t)n;
	}
	for (size_t i = 0; i < n; i++)
		h->args[i] = h->nodes[assumptions[i]];
	Z3_lbool r = Z3_solver_check_assumptions(h->z3, s, (unsigned)n, h->args);
	if (!ok(h))
		return Z3_L_UNDEF;
	if (r == Z3_L_FALSE && n > 0)
		read_core(h, s, assumptions, n, core);
	return r;
}

const char *hb_reason(hb_context *h, Z3_solver s) { return Z3_solver_get_reason_unknown(h->z3, s); }

void hb_interrupt(hb_context *h, Z3_solver s) { Z3_solver_interrupt(h->z3, s); }

hb_counters hb_count(hb_context *h, Z3_solver s) {
	hb_counters out = {0};
	Z3_stats stats = Z3_solver_get_statistics(h->z3, s);
	if (stats == NULL || !ok(h))
		return out;
	Z3_stats_inc_ref(h->z3, stats);
	unsigned n = Z3_stats_size(h->z3, stats);
	for (unsigned i = 0; i < n; i++) {
		if (!Z3_stats_is_uint(h->z3, stats, i))
			continue;
		const char *key = Z3_stats_get_key(h->z3, stats, i);
		uint32_t value = Z3_stats_get_uint_value(h->z3, stats, i);
		if (strcmp(key, "rlimit count") == 0)
			out.resources = value;
		else if (strcmp(key, "arith-gcd-calls") == 0)
			out.roundings = value;
		else if (strcmp(key, "arith-max-rows") == 0)
			out.rows = value;
		else if (strcmp(key, "mk clause") == 0)
			out.clauses = value;
		else if (strncmp(key, "bv ", 3) == 0)
			out.bits = true;
	}
	Z3_stats_dec_ref(h->z3, stats);
	return out;
}
