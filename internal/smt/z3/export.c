// Exports: models and proofs as flat arrays, read in one call.
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

static void put(hb_context *h, hb_words *b, uint32_t w) {
	if (b->len == b->cap) {
		size_t to = b->cap == 0 ? 1024 : 2 * b->cap;
		void *p = realloc(b->data, to * sizeof *b->data);
		if (p == NULL) {
			h->nomem = true;
			return;
		}
		b->data = p;
		b->cap = to;
	}
	b->data[b->len++] = w;
}

static void word(hb_context *h, uint32_t w) { put(h, &h->out, w); }

static void word64(hb_context *h, uint64_t w) {
	word(h, (uint32_t)w);
	word(h, (uint32_t)(w >> 32));
}

// text writes the place of a copy of s.
static void text(hb_context *h, const char *s) {
	hb_bytes *b = &h->text;
	size_t n = s == NULL ? 0 : strlen(s);
	if (b->len + n > b->cap) {
		size_t to = 2 * b->cap + n + 256;
		void *p = realloc(b->data, to);
		if (p == NULL) {
			h->nomem = true;
			n = 0;
		} else {
			b->data = p;
			b->cap = to;
		}
	}
	word(h, (uint32_t)b->len);
	word(h, (uint32_t)n);
	if (n > 0)
		memcpy(b->data + b->len, s, n);
	b->len += n;
}

static void symbol(hb_context *h, Z3_symbol s) {
	if (Z3_get_symbol_kind(h->z3, s) == Z3_STRING_SYMBOL) {
		text(h, Z3_get_symbol_string(h->z3, s));
		return;
	}
	char buffer[16];
	int i = Z3_get_symbol_int(h->z3, s), at = sizeof buffer - 1;
	buffer[at] = 0;
	do
		buffer[--at] = (char)('0' + i % 10);
	while ((i /= 10) > 0);
	text(h, buffer + at);
}

// var_index tells whether d declares one of our variables: those have their index as symbol.
static bool var_index(hb_context *h, Z3_func_decl d, uint32_t *index) {
	Z3_symbol s = Z3_get_decl_name(h->z3, d);
	if (Z3_get_symbol_kind(h->z3, s) != Z3_INT_SYMBOL)
		return false;
	int i = Z3_get_symbol_int(h->z3, s);
	if (i < 0 || (uint32_t)i >= h->n_vars || h->vars[i] != d)
		return false;
	*index = (uint32_t)i;
	return true;
}

static uint32_t sort_of(hb_context *h, Z3_ast a) {
	uint32_t i;
	return hb_map_get(&h->sort_index, Z3_get_sort(h->z3, a), &i) ? i : UINT32_MAX;
}

// is_proof tells whether a is a proof, or a function from bound variables to proofs.
static bool is_proof(hb_context *h, Z3_ast a) {
	while (Z3_get_ast_kind(h->z3, a) == Z3_QUANTIFIER_AST)
		a = Z3_get_quantifier_body(h->z3, a);
	Z3_sort s = Z3_get_sort(h->z3, a);
	return Z3_get_sort_kind(h->z3, s) == Z3_UNKNOWN_SORT;
}

static bool push(hb_context *h, Z3_ast a) {
	if (h->n_stack == h->cap_stack) {
		size_t to = h->cap_stack == 0 ? 256 : 2 * h->cap_stack;
		void *p = realloc(h->stack, to * sizeof *h->stack);
		if (p == NULL) {
			h->nomem = true;
			return false;
		}
		h->stack = p;
		h->cap_stack = to;
	}
	h->stack[h->n_stack++] = a;
	return true;
}

// need looks a child up; one that was not written yet goes onto the stack.
static bool need(hb_context *h, Z3_ast child) {
	uint32_t i;
	if (hb_map_get(&h->seen, child, &i))
		return true;
	push(h, child);
	return false;
}

static uint32_t index_of(hb_context *h, Z3_ast child) {
	uint32_t i = 0;
	hb_map_get(&h->seen, child, &i);
	return i;
}

static void head(hb_context *h, uint32_t kind, uint32_t count) { word(h, kind | count << 8); }

static void export_numeral(hb_context *h, Z3_ast a) {
	Z3_sort s = Z3_get_sort(h->z3, a);
	Z3_sort_kind kind = Z3_get_sort_kind(h->z3, s);
	uint32_t tag = kind == Z3_INT_SORT ? HB_TAG_INT : kind == Z3_REAL_SORT ? HB_TAG_REAL : HB_TAG_BV;
	uint32_t width = tag == HB_TAG_BV ? Z3_get_bv_sort_size(h->z3, s) : 0;
	int64_t num, den;
	uint64_t bits;
	if (tag == HB_TAG_BV && Z3_get_numeral_uint64(h->z3, a, &bits)) {
		head(h, HB_X_INT64, 0);
		word(h, tag);
		word(h, width);
		word64(h, bits);
		return;
	}
	if (tag != HB_TAG_BV && Z3_get_numeral_rational_int64(h->z3, a, &num, &den)) {
		if (tag == HB_TAG_INT) {
			head(h, HB_X_INT64, 0);
			word(h, tag);
			word(h, width);
			word64(h, (uint64_t)num);
			return;
		}
		head(h, HB_X_RAT64, 0);
		word64(h, (uint64_t)num);
		word64(h, (uint64_t)den);
		return;
	}
	head(h, HB_X_NUMERAL, 0);
	word(h, tag);
	word(h, width);
	text(h, Z3_get_numeral_string(h->z3, a));
}

static void export_table(hb_context *h, Z3_model m, Z3_ast a) {
	Z3_func_interp f = m == NULL ? NULL : Z3_model_get_func_interp(h->z3, m, Z3_get_as_array_func_decl(h->z3, a));
	if (f == NULL) {
		head(h, HB_X_OTHER, 0);
		text(h, Z3_ast_to_string(h->z3, a));
		return;
	}
	Z3_func_interp_inc_ref(h->z3, f);
	uint32_t n = Z3_func_interp_get_num_entries(h->z3, f);
	head(h, HB_X_TABLE, 2 * n + 1);
	word(h, sort_of(h, a));
	for (uint32_t i = 0; i < n; i++) {
		Z3_func_entry e = Z3_func_interp_get_entry(h->z3, f, i);
		Z3_func_entry_inc_ref(h->z3, e);
		word(h, index_of(h, Z3_func_entry_get_arg(h->z3, e, 0)));
		word(h, index_of(h, Z3_func_entry_get_value(h->z3, e)));
		Z3_func_entry_dec_ref(h->z3, e);
	}
	word(h, index_of(h, Z3_func_interp_get_else(h->z3, f)));
	Z3_func_interp_dec_ref(h->z3, f);
}

static bool need_table(hb_context *h, Z3_model m, Z3_ast a) {
	Z3_func_interp f = m == NULL ? NULL : Z3_model_get_func_interp(h->z3, m, Z3_get_as_array_func_decl(h->z3, a));
	if (f == NULL)
		return true;
	Z3_func_interp_inc_ref(h->z3, f);
	bool ready = true;
	uint32_t n = Z3_func_interp_get_num_entries(h->z3, f);
	for (uint32_t i = 0; i < n; i++) {
		Z3_func_entry e = Z3_func_interp_get_entry(h->z3, f, i);
		Z3_func_entry_inc_ref(h->z3, e);
		ready &= need(h, Z3_func_entry_get_arg(h->z3, e, 0));
		ready &= need(h, Z3_func_entry_get_value(h->z3, e));
		Z3_func_entry_dec_ref(h->z3, e);
	}
	ready &= need(h, Z3_func_interp_get_else(h->z3, f));
	Z3_func_interp_dec_ref(h->z3, f);
	return ready;
}

static void export_parameters(hb_context *h, Z3_func_decl d) {
	uint32_t n = Z3_get_decl_num_parameters(h->z3, d);
	word(h, n);
	for (uint32_t i = 0; i < n; i++) {
		char buffer[16];
		switch (Z3_get_decl_parameter_kind(h->z3, d, i)) {
		case Z3_PARAMETER_SYMBOL:
			word(h, 0);
			symbol(h, Z3_get_decl_symbol_parameter(h->z3, d, i));
			break;
		case Z3_PARAMETER_RATIONAL:
			word(h, 1);
			text(h, Z3_get_decl_rational_parameter(h->z3, d, i));
			break;
		case Z3_PARAMETER_INT: {
			long v = Z3_get_decl_int_parameter(h->z3, d, i);
			int at = sizeof buffer - 1;
			bool negative = v < 0;
			if (negative)
				v = -v;
			buffer[at] = 0;
			do
				buffer[--at] = (char)('0' + v % 10);
			while ((v /= 10) > 0);
			if (negative)
				buffer[--at] = '-';
			word(h, 1);
			text(h, buffer + at);
			break;
		}
		default:
			word(h, 0);
			text(h, "");
		}
	}
}

// export_step writes a step of a proof: all arguments but a last Boolean one, the conclusion, are premises.
static void export_step(hb_context *h, Z3_app app, Z3_func_decl d, uint32_t n) {
	uint32_t conclusion = 0;
	if (n > 0 && !is_proof(h, Z3_get_app_arg(h->z3, app, n - 1))) {
		n--;
		conclusion = index_of(h, Z3_get_app_arg(h->z3, app, n)) + 1;
	}
	head(h, HB_X_PROOF, n);
	symbol(h, Z3_get_decl_name(h->z3, d));
	word(h, conclusion);
	export_parameters(h, d);
	for (uint32_t i = 0; i < n; i++)
		word(h, index_of(h, Z3_get_app_arg(h->z3, app, i)));
}

static void export_app(hb_context *h, Z3_model m, Z3_ast a) {
	if (Z3_is_as_array(h->z3, a)) {
		export_table(h, m, a);
		return;
	}
	Z3_app app = Z3_to_app(h->z3, a);
	Z3_func_decl d = Z3_get_app_decl(h->z3, app);
	Z3_decl_kind kind = Z3_get_decl_kind(h->z3, d);
	uint32_t n = Z3_get_app_num_args(h->z3, app), i;
	if (Z3_is_algebraic_number(h->z3, a)) {
		head(h, HB_X_IRRATIONAL, 0);
		text(h, Z3_ast_to_string(h->z3, a));
		return;
	}
	if (is_proof(h, a)) {
		export_step(h, app, d, n);
		return;
	}
	if (n == 0 && kind == h->uninterpreted && var_index(h, d, &i)) {
		head(h, HB_X_VAR, 0);
		word(h, i);
		return;
	}
	if (hb_map_get(&h->func_index, d, &i)) {
		head(h, HB_X_FUNC, n);
		word(h, i);
	} else if (n == 0 && kind == h->uninterpreted) {
		head(h, HB_X_ELEMENT, 0);
		word(h, sort_of(h, a));
		symbol(h, Z3_get_decl_name(h->z3, d));
		return;
	} else {
		head(h, HB_X_OP, n);
		word(h, kind);
		word(h, sort_of(h, a));
	}
	for (uint32_t j = 0; j < n; j++)
		word(h, index_of(h, Z3_get_app_arg(h->z3, app, j)));
}

// node_of tells whether a is a translated term that need not be taken apart: in proofs, where m is NULL.
static bool node_of(hb_context *h, Z3_model m, Z3_ast a, uint32_t *node) {
	return m == NULL && hb_map_get(&h->node_index, a, node);
}

// ready pushes those children of a that are not written yet and reports whether there were none.
static bool ready(hb_context *h, Z3_model m, Z3_ast a) {
	uint32_t node;
	if (node_of(h, m, a, &node))
		return true;
	switch (Z3_get_ast_kind(h->z3, a)) {
	case Z3_APP_AST: {
		if (Z3_is_as_array(h->z3, a))
			return need_table(h, m, a);
		Z3_app app = Z3_to_app(h->z3, a);
		uint32_t n = Z3_get_app_num_args(h->z3, app);
		bool all = true;
		for (uint32_t i = n; i-- > 0;)
			all &= need(h, Z3_get_app_arg(h->z3, app, i));
		return all;
	}
	case Z3_QUANTIFIER_AST:
		return need(h, Z3_get_quantifier_body(h->z3, a));
	default:
		return true;
	}
}

static void export_node(hb_context *h, Z3_model m, Z3_ast a) {
	uint32_t node;
	if (node_of(h, m, a, &node)) {
		head(h, HB_X_NODE, 0);
		word(h, node);
		return;
	}
	switch (Z3_get_ast_kind(h->z3, a)) {
	case Z3_NUMERAL_AST:
		if (Z3_is_algebraic_number(h->z3, a)) {
			head(h, HB_X_IRRATIONAL, 0);
			text(h, Z3_ast_to_string(h->z3, a));
		} else
			export_numeral(h, a);
		break;
	case Z3_APP_AST:
		export_app(h, m, a);
		break;
	case Z3_VAR_AST:
		head(h, HB_X_BOUND, 0);
		word(h, sort_of(h, a));
		word(h, Z3_get_index_value(h->z3, a));
		break;
	case Z3_QUANTIFIER_AST:
		head(h, HB_X_LAMBDA, 1);
		word(h, sort_of(h, a));
		word(h, Z3_is_lambda(h->z3, a) ? Z3_get_quantifier_num_bound(h->z3, a) : 0);
		word(h, index_of(h, Z3_get_quantifier_body(h->z3, a)));
		break;
	default:
		head(h, HB_X_OTHER, 0);
		text(h, Z3_ast_to_string(h->z3, a));
	}
}

// export_dag writes a and everything below it that was not written yet, arguments first, without recursion.
static uint32_t export_dag(hb_context *h, Z3_model m, Z3_ast root) {
	uint32_t i;
	if (hb_map_get(&h->seen, root, &i))
		return i;
	h->n_stack = 0;
	push(h, root);
	while (h->n_stack > 0 && !h->nomem) {
		Z3_ast a = h->stack[h->n_stack - 1];
		if (hb_map_get(&h->seen, a, &i)) {
			h->n_stack--;
			continue;
		}
		if (!ready(h, m, a))
			continue;
		h->n_stack--;
		export_node(h, m, a);
		if (!hb_map_put(&h->seen, a, h->seen.len))
			h->nomem = true;
	}
	return index_of(h, root);
}

static void start(hb_context *h) {
	h->out.len = 0;
	h->text.len = 0;
	hb_map_clear(&h->seen);
}

static bool finish(hb_context *h, uint32_t *nodes) {
	*nodes = h->seen.len;
	if (h->nomem)
		hb_note(h);
	return !h->nomem;
}

// export_function writes the entries of a function of ours into the list that follows the nodes.
static void export_function(hb_context *h, Z3_model m, Z3_func_decl d, uint32_t func, hb_words *list) {
	Z3_func_interp f = Z3_model_get_func_interp(h->z3, m, d);
	if (f == NULL)
		return;
	Z3_func_interp_inc_ref(h->z3, f);
	uint32_t n = Z3_func_interp_get_num_entries(h->z3, f), arity = Z3_func_interp_get_arity(h->z3, f);
	put(h, list, func);
	put(h, list, n);
	for (uint32_t i = 0; i < n; i++) {
		Z3_func_entry e = Z3_func_interp_get_entry(h->z3, f, i);
		Z3_func_entry_inc_ref(h->z3, e);
		for (uint32_t j = 0; j < arity; j++)
			put(h, list, export_dag(h, m, Z3_func_entry_get_arg(h->z3, e, j)));
		put(h, list, export_dag(h, m, Z3_func_entry_get_value(h->z3, e)));
		Z3_func_entry_dec_ref(h->z3, e);
	}
	put(h, list, export_dag(h, m, Z3_func_interp_get_else(h->z3, f)));
	Z3_func_interp_dec_ref(h->z3, f);
}

bool hb_export_model(hb_context *h, Z3_solver s, hb_model *model) {
	Z3_model m = Z3_solver_get_model(h->z3, s);
	hb_note(h);
	if (m == NULL || h->failed)
		return false;
	Z3_model_inc_ref(h->z3, m);
	start(h);
	hb_words list = {0};
	memset(model, 0, sizeof *model);
	uint32_t n = Z3_model_get_num_consts(h->z3, m), index;
	for (uint32_t i = 0; i < n; i++) {
		Z3_func_decl d = Z3_model_get_const_decl(h->z3, m, i);
		if (!var_index(h, d, &index))
			continue;
		Z3_ast value = Z3_model_get_const_interp(h->z3, m, d);
		if (value == NULL)
			continue;
		put(h, &list, index);
		put(h, &list, export_dag(h, m, value));
		model->constants++;
	}
	n = Z3_model_get_num_funcs(h->z3, m);
	for (uint32_t i = 0; i < n; i++) {
		Z3_func_decl d = Z3_model_get_func_decl(h->z3, m, i);
		if (hb_map_get(&h->func_index, d, &index)) {
			export_function(h, m, d, index, &list);
			model->functions++;
		}
	}
	model->tail = (uint32_t)h->out.len;
	for (size_t i = 0; i < list.len; i++)
		word(h, list.data[i]);
	free(list.data);
	Z3_model_dec_ref(h->z3, m);
	return finish(h, &model->nodes);
}

bool hb_export_proof(hb_context *h, Z3_solver s, uint32_t *nodes) {
	Z3_ast proof = Z3_solver_get_proof(h->z3, s);
	hb_note(h);
	if (proof == NULL || h->failed)
		return false;
	Z3_inc_ref(h->z3, proof);
	for (; h->n_indexed < h->n_nodes; h->n_indexed++) {
		if (!hb_map_put(&h->node_index, h->nodes[h->n_indexed], h->n_indexed))
			h->nomem = true;
	}
	start(h);
	export_dag(h, NULL, proof);
	Z3_dec_ref(h->z3, proof);
	return finish(h, nodes);
}
