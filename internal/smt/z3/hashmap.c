// A map from pointers to numbers, for Z3's nodes, declarations and sorts.
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

static uint32_t slot(const hb_map *m, const void *key) {
	uint64_t x = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
	uint32_t i = (uint32_t)(x >> 32) & (m->cap - 1);
	while (m->keys[i] != NULL && m->keys[i] != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

static bool rehash(hb_map *m) {
	hb_map to = {0};
	to.cap = m->cap == 0 ? 64 : m->cap * 2;
	to.keys = calloc(to.cap, sizeof *to.keys);
	to.vals = malloc(to.cap * sizeof *to.vals);
	if (to.keys == NULL || to.vals == NULL) {
		hb_map_free(&to);
		return false;
	}
	to.len = m->len;
	for (uint32_t i = 0; i < m->cap; i++) {
		if (m->keys[i] != NULL) {
			uint32_t j = slot(&to, m->keys[i]);
			to.keys[j] = m->keys[i];
			to.vals[j] = m->vals[i];
		}
	}
	hb_map_free(m);
	*m = to;
	return true;
}

bool hb_map_put(hb_map *m, const void *key, uint32_t val) {
	if (2 * (m->len + 1) > m->cap && !rehash(m))
		return false;
	uint32_t i = slot(m, key);
	if (m->keys[i] == NULL) {
		m->keys[i] = key;
		m->len++;
	}
	m->vals[i] = val;
	return true;
}

bool hb_map_get(const hb_map *m, const void *key, uint32_t *val) {
	if (m->cap == 0)
		return false;
	uint32_t i = slot(m, key);
	if (m->keys[i] == NULL)
		return false;
	*val = m->vals[i];
	return true;
}

// hb_map_clear keeps the memory of a small map, and gives back that of one which a big proof made.
void hb_map_clear(hb_map *m) {
	if (m->cap > 1u << 16)
		hb_map_free(m);
	else if (m->len > 0)
		memset(m->keys, 0, m->cap * sizeof *m->keys);
	m->len = 0;
}

void hb_map_free(hb_map *m) {
	free(m->keys);
	free(m->vals);
	memset(m, 0, sizeof *m);
}
