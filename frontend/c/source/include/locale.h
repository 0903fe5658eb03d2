#ifndef HORNBEAM_LOCALE_H
#define HORNBEAM_LOCALE_H
#define LC_ALL 6
char *setlocale(int, const char *);
#endif
