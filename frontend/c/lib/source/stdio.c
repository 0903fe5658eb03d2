/* Printing into memory, by formats of plain conversions: %d %i %u %x with l or ll, %c, %s and %%. */

size_t __hornbeam_put(char *to, size_t n, size_t at, char c) {
  if (at + 1 < n)
    to[at] = c;
  return at + 1;
}

size_t __hornbeam_digits(char *to, size_t n, size_t at, unsigned long long x, unsigned base) {
  unsigned long long unit = 1;
  while (x / unit >= base)
    unit *= base;
  for (; unit > 0; unit /= base) {
    int d = x / unit % base;
    at = __hornbeam_put(to, n, at, d < 10 ? '0' + d : 'a' + (d - 10));
  }
  return at;
}

int __hornbeam_print(char *to, size_t n, const char *format, __builtin_va_list list) {
  size_t at = 0;
  for (size_t i = 0; format[i]; i++) {
    if (format[i] != '%') {
      at = __hornbeam_put(to, n, at, format[i]);
      continue;
    }
    int longs = 0;
    for (i++; format[i] == 'l'; i++)
      longs++;
    char what = format[i];
    if (what == 'd' || what == 'i') {
      long long x = longs == 0 ? __builtin_va_arg(list, int) : longs == 1 ? __builtin_va_arg(list, long) : __builtin_va_arg(list, long long);
      unsigned long long magnitude = x;
      if (x < 0) {
        at = __hornbeam_put(to, n, at, '-');
        magnitude = -magnitude;
      }
      at = __hornbeam_digits(to, n, at, magnitude, 10);
    } else if (what == 'u' || what == 'x') {
      unsigned long long x = longs == 0 ? __builtin_va_arg(list, unsigned) : longs == 1 ? __builtin_va_arg(list, unsigned long) : __builtin_va_arg(list, unsigned long long);
      at = __hornbeam_digits(to, n, at, x, what == 'u' ? 10 : 16);
    } else if (what == 's') {
      const char *text = __builtin_va_arg(list, const char *);
      for (size_t k = 0; text[k]; k++)
        at = __hornbeam_put(to, n, at, text[k]);
    } else {
      at = __hornbeam_put(to, n, at, what == 'c' ? __builtin_va_arg(list, int) : '%');
    }
  }
  if (n > 0)
    to[at < n ? at : n - 1] = 0;
  return at;
}

int snprintf(char *to, size_t n, const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int printed = __hornbeam_print(to, n, format, list);
  __builtin_va_end(list);
  return printed;
}

int sprintf(char *to, const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int printed = __hornbeam_print(to, -1, format, list);
  __builtin_va_end(list);
  return printed;
}
