#ifndef HORNBEAM_LIBGEN_H
#define HORNBEAM_LIBGEN_H
char *basename(char *);
char *dirname(char *);
#endif
