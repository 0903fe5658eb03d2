/* <stdlib.h>: numbers, texts of numbers, sorting and searching. */

int abs(int x) { return x < 0 ? -x : x; }

long labs(long x) { return x < 0 ? -x : x; }

long long llabs(long long x) { return x < 0 ? -x : x; }

__INTPTR_TYPE__ imaxabs(__INTPTR_TYPE__ x) { return x < 0 ? -x : x; }

const char *__hornbeam_unspaced(const char *s) {
  while (*s == ' ' || *s >= '\t' && *s <= '\r')
    s++;
  return s;
}

int __hornbeam_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 36;
}

/* The number at the beginning of a text: beyond if it is more than most without its sign. */
unsigned long long __hornbeam_number(const char *s, char **end, int base, unsigned long long most, unsigned long long beyond) {
  const char *p = __hornbeam_unspaced(s);
  int minus = *p == '-', full = 0;
  if (*p == '-' || *p == '+')
    p++;
  if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && __hornbeam_digit(p[2]) < 16) {
    p += 2;
    base = 16;
  } else if (base == 0) {
    base = *p == '0' ? 8 : 10;
  }
  const char *first = p;
  unsigned long long x = 0;
  for (int d = __hornbeam_digit(*p); d < base; d = __hornbeam_digit(*p)) {
    if (full || x > (most - d) / base)
      full = 1;
    else
      x = x * base + d;
    p++;
  }
  if (end)
    *end = (char *)(p == first ? s : p);
  return full ? beyond : minus ? -x : x;
}

long strtol(const char *s, char **end, int base) {
  unsigned long long most = __LONG_MAX__;
  if (*__hornbeam_unspaced(s) == '-')
    most++;
  return __hornbeam_number(s, end, base, most, most);
}

long long strtoll(const char *s, char **end, int base) {
  unsigned long long most = __LONG_LONG_MAX__;
  if (*__hornbeam_unspaced(s) == '-')
    most++;
  return __hornbeam_number(s, end, base, most, most);
}

unsigned long strtoul(const char *s, char **end, int base) {
  return __hornbeam_number(s, end, base, __LONG_MAX__ * 2UL + 1, __LONG_MAX__ * 2UL + 1);
}

unsigned long long strtoull(const char *s, char **end, int base) {
  return __hornbeam_number(s, end, base, __LONG_LONG_MAX__ * 2ULL + 1, __LONG_LONG_MAX__ * 2ULL + 1);
}

int atoi(const char *s) {
  long long n = strtoll(s, 0, 10);
  __hornbeam_defined(n >= -__INT_MAX__ - 1 && n <= __INT_MAX__);
  return n;
}

long atol(const char *s) { return strtol(s, 0, 10); }

long long atoll(const char *s) { return strtoll(s, 0, 10); }

/* Insertion sort: which order elements get that compare as equal is not defined. */
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  char *a = base;
  for (size_t i = 1; i < n; i++)
    for (char *p = a + i * size; p > a && compare(p - size, p) > 0; p -= size)
      for (size_t k = 0; k < size; k++) {
        char c = p[k];
        p[k] = (p - size)[k];
        (p - size)[k] = c;
      }
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  const char *a = base;
  size_t low = 0;
  while (low < n) {
    size_t middle = (low + n) / 2;
    int order = compare(key, a + middle * size);
    if (order == 0)
      return (void *)(a + middle * size);
    if (order < 0)
      n = middle;
    else
      low = middle + 1;
  }
  return 0;
}
