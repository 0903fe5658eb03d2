/* <string.h> and <strings.h>, but for the functions that fill and copy memory, which are intrinsics. */

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

/* How far the result of a comparison is from zero is not defined, only on which side. */
int __hornbeam_order(unsigned char a, unsigned char b) {
  if (a == b)
    return 0;
  int far = __hornbeam_any(1);
  __hornbeam_assume(far > 0);
  return a < b ? -far : far;
}

char __hornbeam_fold(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

int memcmp(const void *x, const void *y, size_t n) {
  const unsigned char *a = x, *b = y;
  size_t i = 0;
  while (i < n && a[i] == b[i])
    i++;
  return i < n ? __hornbeam_order(a[i], b[i]) : 0;
}

int bcmp(const void *x, const void *y, size_t n) { return memcmp(x, y, n); }

int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] == b[i] && a[i])
    i++;
  return __hornbeam_order(a[i], b[i]);
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strncmp(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n && a[i] == b[i] && a[i])
    i++;
  return i < n ? __hornbeam_order(a[i], b[i]) : 0;
}

int strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  while (__hornbeam_fold(a[i]) == __hornbeam_fold(b[i]) && a[i])
    i++;
  return __hornbeam_order(__hornbeam_fold(a[i]), __hornbeam_fold(b[i]));
}

int strncasecmp(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n && __hornbeam_fold(a[i]) == __hornbeam_fold(b[i]) && a[i])
    i++;
  return i < n ? __hornbeam_order(__hornbeam_fold(a[i]), __hornbeam_fold(b[i])) : 0;
}

char *stpcpy(char *to, const char *from) {
  size_t i = 0;
  for (; from[i]; i++)
    to[i] = from[i];
  to[i] = 0;
  return to + i;
}

char *strcpy(char *to, const char *from) {
  size_t i = 0;
  for (; from[i]; i++)
    to[i] = from[i];
  to[i] = 0;
  return to;
}

char *stpncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (size_t k = i; k < n; k++)
    to[k] = 0;
  return to + i;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  size_t end = 0, i = 0;
  while (to[end])
    end++;
  for (; from[i]; i++)
    to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  size_t end = 0, i = 0;
  while (to[end])
    end++;
  for (; i < n && from[i]; i++)
    to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}

void *memchr(const void *p, int c, size_t n) {
  const unsigned char *s = p, wanted = c;
  size_t i = 0;
  while (i < n && s[i] != wanted)
    i++;
  return i < n ? (void *)(s + i) : 0;
}

void *memrchr(const void *p, int c, size_t n) {
  const unsigned char *s = p, wanted = c;
  size_t i = n;
  while (i > 0 && s[i - 1] != wanted)
    i--;
  return i > 0 ? (void *)(s + (i - 1)) : 0;
}

void *memccpy(void *to, const void *from, int c, size_t n) {
  unsigned char *a = to, last = c;
  const unsigned char *b = from;
  for (size_t i = 0; i < n; i++) {
    a[i] = b[i];
    if (b[i] == last)
      return a + i + 1;
  }
  return 0;
}

char *strchrnul(const char *s, int c) {
  char wanted = c;
  size_t i = 0;
  while (s[i] != wanted && s[i])
    i++;
  return (char *)(s + i);
}

char *strchr(const char *s, int c) {
  char wanted = c;
  size_t i = 0;
  while (s[i] != wanted && s[i])
    i++;
  return s[i] == wanted ? (char *)(s + i) : 0;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c) {
  char wanted = c;
  const char *last = 0;
  size_t i = 0;
  for (; s[i]; i++)
    if (s[i] == wanted)
      last = s + i;
  return (char *)(s[i] == wanted ? s + i : last);
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

size_t strspn(const char *s, const char *set) {
  size_t i = 0, k;
  for (; s[i]; i++) {
    for (k = 0; set[k] && set[k] != s[i]; k++)
      ;
    if (!set[k])
      return i;
  }
  return i;
}

size_t strcspn(const char *s, const char *set) {
  size_t i = 0, k;
  for (; s[i]; i++) {
    for (k = 0; set[k] && set[k] != s[i]; k++)
      ;
    if (set[k])
      return i;
  }
  return i;
}

char *strpbrk(const char *s, const char *set) {
  size_t i = strcspn(s, set);
  return s[i] ? (char *)(s + i) : 0;
}

char *strstr(const char *s, const char *t) {
  for (size_t i = 0, k;; i++) {
    for (k = 0; t[k] && s[i + k] == t[k]; k++)
      ;
    if (!t[k])
      return (char *)(s + i);
    if (!s[i])
      return 0;
  }
}

char *strdup(const char *s) {
  size_t n = strlen(s);
  char *p = malloc(n + 1);
  if (!p)
    return 0;
  for (size_t i = 0; i <= n; i++)
    p[i] = s[i];
  return p;
}

char *strndup(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  char *p = malloc(n + 1);
  if (!p)
    return 0;
  for (size_t i = 0; i < n; i++)
    p[i] = s[i];
  p[n] = 0;
  return p;
}
