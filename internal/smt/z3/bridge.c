// Contexts, sorts and functions.
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

// The default handler prints and ends the process; the caller asks for the error code instead.
static void ignore_error(Z3_context c, Z3_error_code e) {
	(void)c;
	(void)e;
}

void hb_set_up(void) {
	Z3_toggle_warning_messages(false);
	// Compaction takes four fifths of the time in which a model is made, to drop auxiliary functions that nobody reads. Solvers have
	// no such setting of their own.
	Z3_global_param_set("model.compact", "false");
}

uint32_t hb_uninterpreted(void) {
	Z3_config config = Z3_mk_config();
	Z3_context z3 = Z3_mk_context(config);
	Z3_del_config(config);
	if (z3 == NULL)
		return Z3_OP_UNINTERPRETED;
	Z3_ast x = Z3_mk_const(z3, Z3_mk_string_symbol(z3, "x"), Z3_mk_bool_sort(z3));
	Z3_decl_kind kind = Z3_get_decl_kind(z3, Z3_get_app_decl(z3, Z3_to_app(z3, x)));
	Z3_del_context(z3);
	return kind;
}

hb_context *hb_open(bool proofs, uint32_t uninterpreted) {
	hb_context *h = calloc(1, sizeof *h);
	if (h == NULL)
		return NULL;
	Z3_config config = Z3_mk_config();
	Z3_set_param_value(config, "proof", proofs ? "true" : "false");
	h->z3 = Z3_mk_context_rc(config);
	Z3_del_config(config);
	if (h->z3 == NULL) {
		free(h);
		return NULL;
	}
	Z3_set_error_handler(h->z3, ignore_error);
	h->uninterpreted = uninterpreted;
	return h;
}

void hb_close(hb_context *h) {
	for (uint32_t i = 0; i < h->n_nodes; i++)
		Z3_dec_ref(h->z3, h->nodes[i]);
	for (uint32_t i = 0; i < h->n_vars; i++)
		Z3_dec_ref(h->z3, Z3_func_decl_to_ast(h->z3, h->vars[i]));
	for (uint32_t i = 0; i < h->n_funcs; i++)
		Z3_dec_ref(h->z3, Z3_func_decl_to_ast(h->z3, h->funcs[i]));
	for (uint32_t i = 0; i < h->n_sorts; i++)
		Z3_dec_ref(h->z3, Z3_sort_to_ast(h->z3, h->sorts[i]));
	Z3_del_context(h->z3);
	free(h->nodes);
	free(h->vars);
	free(h->sorts);
	free(h->funcs);
	free(h->args);
	free(h->out.data);
	free(h->text.data);
	free(h->stack);
	hb_map_free(&h->sort_index);
	hb_map_free(&h->func_index);
	hb_map_free(&h->node_index);
	hb_map_free(&h->seen);
	free(h);
}

void hb_note(hb_context *h) {
	Z3_error_code e = Z3_get_error_code(h->z3);
	if (h->failed || (e == Z3_OK && !h->nomem))
		return;
	h->failed = true;
	strncpy(h->error, h->nomem ? "out of memory" : Z3_get_error_msg(h->z3, e), sizeof h->error - 1);
}

const char *hb_take_error(hb_context *h) {
	hb_note(h);
	if (!h->failed)
		return NULL;
	h->failed = false;
	return h->error;
}

static bool grow(hb_context *h, void **data, uint32_t *cap, uint32_t need, size_t size) {
	if (need <= *cap)
		return true;
	uint32_t to = *cap < 32 ? 64 : *cap * 2;
	if (to < need)
		to = need;
	void *p = realloc(*data, (size_t)to * size);
	if (p == NULL) {
		h->nomem = true;
		return false;
	}
	*data = p;
	*cap = to;
	return true;
}

int64_t hb_add_sort(hb_context *h, Z3_sort s) {
	hb_note(h);
	if (s == NULL || !grow(h, (void **)&h->sorts, &h->cap_sorts, h->n_sorts + 1, sizeof *h->sorts))
		return -1;
	Z3_inc_ref(h->z3, Z3_sort_to_ast(h->z3, s));
	h->sorts[h->n_sorts] = s;
	if (!hb_map_put(&h->sort_index, s, h->n_sorts))
		h->nomem = true;
	return h->n_sorts++;
}

int64_t hb_basic_sort(hb_context *h, Z3_sort_kind kind, uint32_t width) {
	switch (kind) {
	case Z3_BOOL_SORT:
		return hb_add_sort(h, Z3_mk_bool_sort(h->z3));
	case Z3_INT_SORT:
		return hb_add_sort(h, Z3_mk_int_sort(h->z3));
	case Z3_REAL_SORT:
		return hb_add_sort(h, Z3_mk_real_sort(h->z3));
	case Z3_BV_SORT:
		return hb_add_sort(h, Z3_mk_bv_sort(h->z3, width));
	default:
		return -1;
	}
}

int64_t hb_array_sort(hb_context *h, uint32_t index, uint32_t elem) {
	return hb_add_sort(h, Z3_mk_array_sort(h->z3, h->sorts[index], h->sorts[elem]));
}

int64_t hb_uninterpreted_sort(hb_context *h, const char *name) {
	return hb_add_sort(h, Z3_mk_uninterpreted_sort(h->z3, Z3_mk_string_symbol(h->z3, name)));
}

int64_t hb_datatypes(hb_context *h, const char *text, uint32_t n, const char *const *names, const uint32_t *known, uint32_t n_known) {
	Z3_symbol *symbols = calloc(n_known + 1, sizeof *symbols);
	Z3_sort *sorts = calloc(n_known + 1, sizeof *sorts);
	int64_t first = -1;
	if (symbols == NULL || sorts == NULL) {
		h->nomem = true;
		goto done;
	}
	for (uint32_t i = 0; i < n_known; i++) {
		symbols[i] = Z3_mk_string_symbol(h->z3, names[i]);
		sorts[i] = h->sorts[known[i]];
	}
	Z3_ast_vector parsed = Z3_parse_smtlib2_string(h->z3, text, n_known, symbols, sorts, 0, NULL, NULL);
	hb_note(h);
	if (parsed == NULL || h->failed)
		goto done;
	Z3_ast_vector_inc_ref(h->z3, parsed);
	if (Z3_ast_vector_size(h->z3, parsed) == n) {
		for (uint32_t i = 0; i < n; i++) {
			Z3_app eq = Z3_to_app(h->z3, Z3_ast_vector_get(h->z3, parsed, i));
			int64_t s = hb_add_sort(h, Z3_get_sort(h->z3, Z3_get_app_arg(h->z3, eq, 0)));
			if (i == 0)
				first = s;
		}
	}
	Z3_ast_vector_dec_ref(h->z3, parsed);
done:
	free(symbols);
	free(sorts);
	return first;
}

static int64_t add_func(hb_context *h, Z3_func_decl f) {
	hb_note(h);
	if (f == NULL || !grow(h, (void **)&h->funcs, &h->cap_funcs, h->n_funcs + 1, sizeof *h->funcs))
		return -1;
	Z3_inc_ref(h->z3, Z3_func_decl_to_ast(h->z3, f));
	h->funcs[h->n_funcs] = f;
	if (!hb_map_put(&h->func_index, f, h->n_funcs))
		h->nomem = true;
	return h->n_funcs++;
}

int64_t hb_constructor(hb_context *h, uint32_t sort, uint32_t ctor, uint32_t n_fields) {
	Z3_sort s = h->sorts[sort];
	int64_t first = add_func(h, Z3_get_datatype_sort_constructor(h->z3, s, ctor));
	if (first < 0 || add_func(h, Z3_get_datatype_sort_recognizer(h->z3, s, ctor)) < 0)
		return -1;
	for (uint32_t i = 0; i < n_fields; i++) {
		if (add_func(h, Z3_get_datatype_sort_constructor_accessor(h->z3, s, ctor, i)) < 0)
			return -1;
	}
	return first;
}

int64_t hb_function(hb_context *h, const char *name, const uint32_t *domain, uint32_t n, uint32_t range) {
	Z3_sort *sorts = calloc(n + 1, sizeof *sorts);
	if (sorts == NULL) {
		h->nomem = true;
		return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		sorts[i] = h->sorts[domain[i]];
	int64_t f = add_func(h, Z3_mk_func_decl(h->z3, Z3_mk_string_symbol(h->z3, name), n, sorts, h->sorts[range]));
	free(sorts);
	return f;
}
