/* <ctype.h>, in the C locale. */

/* Only characters and EOF have an answer, and which value other than 0 says yes is not defined: GNU's library has usual. */
int __hornbeam_class(int c, int holds, int usual) {
  __hornbeam_defined(c >= -1 && c < 256);
  int yes = __hornbeam_any(usual);
  __hornbeam_assume(yes != 0);
  return holds ? yes : 0;
}

int isupper(int c) { return __hornbeam_class(c, c >= 'A' && c <= 'Z', 256); }

int islower(int c) { return __hornbeam_class(c, c >= 'a' && c <= 'z', 512); }

int isdigit(int c) { return __hornbeam_class(c, c >= '0' && c <= '9', 2048); }

int isalpha(int c) { return __hornbeam_class(c, c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z', 1024); }

int isalnum(int c) { return __hornbeam_class(c, c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9', 8); }

int isxdigit(int c) { return __hornbeam_class(c, c >= '0' && c <= '9' || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f', 4096); }

int isspace(int c) { return __hornbeam_class(c, c == ' ' || c >= '\t' && c <= '\r', 8192); }

int isblank(int c) { return __hornbeam_class(c, c == ' ' || c == '\t', 1); }

int iscntrl(int c) { return __hornbeam_class(c, c >= 0 && c < ' ' || c == 127, 2); }

int isprint(int c) { return __hornbeam_class(c, c >= ' ' && c < 127, 16384); }

int isgraph(int c) { return __hornbeam_class(c, c > ' ' && c < 127, 32768); }

int ispunct(int c) {
  return __hornbeam_class(c, c > ' ' && c < 127 && !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'), 4);
}

int isascii(int c) { return c >= 0 && c < 128; }

int toascii(int c) { return c & 127; }

int toupper(int c) {
  __hornbeam_defined(c >= -1 && c < 256);
  return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

int tolower(int c) {
  __hornbeam_defined(c >= -1 && c < 256);
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}
