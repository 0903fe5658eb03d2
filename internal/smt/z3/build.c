// Terms: the interpreter of hb_build.
#include "bridge.h"

#include <stdlib.h>

typedef Z3_ast (*unary)(Z3_context, Z3_ast);
typedef Z3_ast (*binary)(Z3_context, Z3_ast, Z3_ast);

static Z3_ast bv2nat(Z3_context c, Z3_ast a) { return Z3_mk_bv2int(c, a, false); }

static const unary unaries[] = {
	[HB_BVNOT] = Z3_mk_bvnot, [HB_BVNEG] = Z3_mk_bvneg, [HB_BV2NAT] = bv2nat,
};

static const binary binaries[] = {
	[HB_BVAND] = Z3_mk_bvand, [HB_BVOR] = Z3_mk_bvor, [HB_BVXOR] = Z3_mk_bvxor, [HB_BVADD] = Z3_mk_bvadd,
	[HB_BVSUB] = Z3_mk_bvsub, [HB_BVMUL] = Z3_mk_bvmul, [HB_BVUDIV] = Z3_mk_bvudiv, [HB_BVUREM] = Z3_mk_bvurem,
	[HB_BVSDIV] = Z3_mk_bvsdiv, [HB_BVSREM] = Z3_mk_bvsrem, [HB_BVSMOD] = Z3_mk_bvsmod, [HB_BVSHL] = Z3_mk_bvshl,
	[HB_BVLSHR] = Z3_mk_bvlshr, [HB_BVASHR] = Z3_mk_bvashr, [HB_CONCAT] = Z3_mk_concat, [HB_BVULE] = Z3_mk_bvule,
	[HB_BVSLE] = Z3_mk_bvsle,
};

// The functions below return a node that the caller owns one reference of, or NULL after noting the error.

static Z3_ast keep(hb_context *h, Z3_ast a) {
	// An ill-sorted node is returned together with an error, and the next call resets the error.
	if (a == NULL || Z3_get_error_code(h->z3) != Z3_OK) {
		hb_note(h);
		return NULL;
	}
	Z3_inc_ref(h->z3, a);
	return a;
}

static void drop(hb_context *h, Z3_ast a) {
	if (a != NULL)
		Z3_dec_ref(h->z3, a);
}

static Z3_ast mk_bv_indexed(hb_context *h, uint32_t which, uint32_t i, uint32_t j, Z3_ast a) {
	switch (which) {
	case HB_EXTRACT:
		return keep(h, Z3_mk_extract(h->z3, i, j, a));
	case HB_ZERO_EXTEND:
		return keep(h, Z3_mk_zero_ext(h->z3, i, a));
	case HB_SIGN_EXTEND:
		return keep(h, Z3_mk_sign_ext(h->z3, i, a));
	case HB_ROTATE_LEFT:
		return keep(h, Z3_mk_rotate_left(h->z3, i, a));
	case HB_ROTATE_RIGHT:
		return keep(h, Z3_mk_rotate_right(h->z3, i, a));
	case HB_REPEAT:
		return keep(h, Z3_mk_repeat(h->z3, i, a));
	default:
		return keep(h, Z3_mk_int2bv(h->z3, i, a));
	}
}

static Z3_ast mk_zero(hb_context *h, Z3_ast like) {
	return keep(h, Z3_mk_int(h->z3, 0, Z3_get_sort(h->z3, like)));
}

// mk_ite takes the caller's references of all three.
static Z3_ast mk_ite(hb_context *h, Z3_ast cond, Z3_ast then, Z3_ast otherwise) {
	Z3_ast r = NULL;
	if (cond != NULL && then != NULL && otherwise != NULL)
		r = keep(h, Z3_mk_ite(h->z3, cond, then, otherwise));
	drop(h, cond);
	drop(h, then);
	drop(h, otherwise);
	return r;
}

static Z3_ast mk_bvcomp(hb_context *h, Z3_ast a, Z3_ast b) {
	Z3_ast eq = keep(h, Z3_mk_eq(h->z3, a, b));
	Z3_ast one = keep(h, Z3_mk_unsigned_int64(h->z3, 1, Z3_mk_bv_sort(h->z3, 1)));
	Z3_ast zero = keep(h, Z3_mk_unsigned_int64(h->z3, 0, Z3_mk_bv_sort(h->z3, 1)));
	return mk_ite(h, eq, one, zero);
}

static Z3_ast mk_abs(hb_context *h, Z3_ast a) {
	Z3_ast zero = mk_zero(h, a);
	if (zero == NULL)
		return NULL;
	Z3_ast negative = keep(h, Z3_mk_lt(h->z3, a, zero));
	drop(h, zero);
	return mk_ite(h, negative, keep(h, Z3_mk_unary_minus(h->z3, a)), keep(h, a));
}

static Z3_ast mk_divides(hb_context *h, Z3_ast k, Z3_ast a) {
	Z3_ast zero = mk_zero(h, a), rest = keep(h, Z3_mk_mod(h->z3, a, k)), r = NULL;
	if (zero != NULL && rest != NULL)
		r = keep(h, Z3_mk_eq(h->z3, rest, zero));
	drop(h, rest);
	drop(h, zero);
	return r;
}

static Z3_ast mk_bv(hb_context *h, uint32_t which, uint32_t n, const Z3_ast *args) {
	if (which <= HB_BV2NAT)
		return keep(h, unaries[which](h->z3, args[0]));
	if (which == HB_BVCOMP)
		return mk_bvcomp(h, args[0], args[1]);
	Z3_ast r = keep(h, args[0]);
	for (uint32_t i = 1; i < n && r != NULL; i++) {
		Z3_ast next = keep(h, binaries[which](h->z3, r, args[i]));
		Z3_dec_ref(h->z3, r);
		r = next;
	}
	return r;
}

// mk_quantifier makes a quantifier from the bound constants, the body and the patterns.
static Z3_ast mk_quantifier(hb_context *h, bool forall, uint32_t n_patterns, uint32_t n, const Z3_ast *args) {
	Z3_app *bound = malloc((n + 1) * sizeof *bound);
	if (bound == NULL) {
		h->nomem = true;
		return NULL;
	}
	n -= n_patterns;
	for (uint32_t i = 0; i + 1 < n; i++)
		bound[i] = Z3_to_app(h->z3, args[i]);
	// A pattern is a node like others.
	Z3_ast r = keep(h, Z3_mk_quantifier_const(h->z3, forall, 0, n - 1, bound, n_patterns, (const Z3_pattern *)(args + n), args[n - 1]));
	free(bound);
	return r;
}

static Z3_ast mk_var(hb_context *h, uint32_t sort) {
	if (h->n_vars == h->cap_vars) {
		uint32_t to = h->cap_vars == 0 ? 64 : 2 * h->cap_vars;
		void *p = realloc(h->vars, to * sizeof *h->vars);
		if (p == NULL) {
			h->nomem = true;
			return NULL;
		}
		h->vars = p;
		h->cap_vars = to;
	}
	Z3_ast a = keep(h, Z3_mk_const(h->z3, Z3_mk_int_symbol(h->z3, (int)h->n_vars), h->sorts[sort]));
	if (a != NULL) {
		Z3_func_decl d = Z3_get_app_decl(h->z3, Z3_to_app(h->z3, a));
		Z3_inc_ref(h->z3, Z3_func_decl_to_ast(h->z3, d));
		h->vars[h->n_vars++] = d;
	}
	return a;
}

static int64_t word64(const uint32_t *w) { return (int64_t)((uint64_t)w[0] | (uint64_t)w[1] << 32); }

// immediates is the number of words between an instruction's first one and its arguments.
static size_t immediates(uint32_t op) {
	switch (op) {
	case HB_VAR:
	case HB_CONST_ARRAY:
	case HB_APPLY:
	case HB_BV:
	case HB_FORALL_PATTERNS:
		return 1;
	case HB_NUMERAL:
		return 2;
	case HB_INT64:
	case HB_BV_INDEXED:
		return 3;
	default:
		return 0;
	}
}

static Z3_ast step(hb_context *h, uint32_t op, const uint32_t *im, uint32_t n, const Z3_ast *a, const char *text) {
	Z3_context c = h->z3;
	switch (op) {
	case HB_VAR:
		return mk_var(h, im[0]);
	case HB_INT64:
		return keep(h, Z3_mk_int64(c, word64(im + 1), h->sorts[im[0]]));
	case HB_NUMERAL:
		return keep(h, Z3_mk_numeral(c, text + im[1], h->sorts[im[0]]));
	case HB_TRUE:
		return keep(h, Z3_mk_true(c));
	case HB_FALSE:
		return keep(h, Z3_mk_false(c));
	case HB_NOT:
		return keep(h, Z3_mk_not(c, a[0]));
	case HB_AND:
		return keep(h, Z3_mk_and(c, n, a));
	case HB_OR:
		return keep(h, Z3_mk_or(c, n, a));
	case HB_ITE:
		return keep(h, Z3_mk_ite(c, a[0], a[1], a[2]));
	case HB_EQ:
		return keep(h, Z3_mk_eq(c, a[0], a[1]));
	case HB_LE:
		return keep(h, Z3_mk_le(c, a[0], a[1]));
	case HB_LT:
		return keep(h, Z3_mk_lt(c, a[0], a[1]));
	case HB_ADD:
		return keep(h, Z3_mk_add(c, n, a));
	case HB_MUL:
		return keep(h, Z3_mk_mul(c, n, a));
	case HB_REAL_DIV:
	case HB_INT_DIV:
		return keep(h, Z3_mk_div(c, a[0], a[1]));
	case HB_MOD:
		return keep(h, Z3_mk_mod(c, a[0], a[1]));
	case HB_ABS:
		return mk_abs(h, a[0]);
	case HB_TO_REAL:
		return keep(h, Z3_mk_int2real(c, a[0]));
	case HB_TO_INT:
		return keep(h, Z3_mk_real2int(c, a[0]));
	case HB_IS_INT:
		return keep(h, Z3_mk_is_int(c, a[0]));
	case HB_DIVIDES:
		return mk_divides(h, a[0], a[1]);
	case HB_SELECT:
		return keep(h, Z3_mk_select(c, a[0], a[1]));
	case HB_STORE:
		return keep(h, Z3_mk_store(c, a[0], a[1], a[2]));
	case HB_CONST_ARRAY:
		return keep(h, Z3_mk_const_array(c, h->sorts[im[0]], a[0]));
	case HB_APPLY:
		return keep(h, Z3_mk_app(c, h->funcs[im[0]], n, a));
	case HB_FORALL:
	case HB_EXISTS:
		return mk_quantifier(h, op == HB_FORALL, 0, n, a);
	case HB_PATTERN: {
		Z3_pattern p = Z3_mk_pattern(c, n, a);
		return p == NULL ? NULL : keep(h, Z3_pattern_to_ast(c, p));
	}
	case HB_FORALL_PATTERNS:
		return mk_quantifier(h, true, im[0], n, a);
	case HB_BV:
		return mk_bv(h, im[0], n, a);
	case HB_BV_INDEXED:
		return mk_bv_indexed(h, im[0], im[1], im[2], a[0]);
	default:
		return NULL;
	}
}

static bool append_node(hb_context *h, Z3_ast a) {
	if (h->n_nodes == h->cap_nodes) {
		uint32_t to = h->cap_nodes == 0 ? 256 : 2 * h->cap_nodes;
		void *p = realloc(h->nodes, to * sizeof *h->nodes);
		if (p == NULL) {
			h->nomem = true;
			return false;
		}
		h->nodes = p;
		h->cap_nodes = to;
	}
	h->nodes[h->n_nodes++] = a;
	return true;
}

uint32_t hb_build(hb_context *h, const uint32_t *code, size_t n, const char *text) {
	uint32_t base = h->n_nodes, base_vars = h->n_vars, done = 0;
	for (size_t i = 0; i < n; done++) {
		uint32_t op = code[i] & 0xff, count = code[i] >> 8;
		const uint32_t *im = code + i + 1;
		const uint32_t *args = im + immediates(op);
		if (count > h->cap_args) {
			void *p = realloc(h->args, (size_t)count * sizeof *h->args);
			if (p == NULL) {
				h->nomem = true;
				goto undo;
			}
			h->args = p;
			h->cap_args = count;
		}
		for (uint32_t j = 0; j < count; j++)
			h->args[j] = h->nodes[args[j]];
		Z3_ast a = step(h, op, im, count, h->args, text);
		if (a == NULL)
			goto undo;
		if (!append_node(h, a)) {
			Z3_dec_ref(h->z3, a);
			goto undo;
		}
		i = (size_t)(args + count - code);
	}
	return done;
undo:
	while (h->n_nodes > base)
		Z3_dec_ref(h->z3, h->nodes[--h->n_nodes]);
	while (h->n_vars > base_vars) {
		h->n_vars--;
		Z3_dec_ref(h->z3, Z3_func_decl_to_ast(h->z3, h->vars[h->n_vars]));
	}
	return done;
}
