#ifndef HORNBEAM_DIRENT_H
#define HORNBEAM_DIRENT_H
#include <sys/types.h>
typedef struct __dirstream DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);
void rewinddir(DIR *);
#endif
