#ifndef HORNBEAM_STDIO_H
#define HORNBEAM_STDIO_H
#include <stddef.h>
typedef __builtin_va_list va_list;
#include <sys/types.h>
typedef struct _IO_FILE FILE;
typedef long fpos_t;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int dprintf(int, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int asprintf(char **, const char *, ...);
int vprintf(const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int vasprintf(char **, const char *, va_list);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int getc(FILE *);
int fgetc(FILE *);
int getchar(void);
int ungetc(int, FILE *);
char *gets(char *);
char *fgets(char *, int, FILE *);
ssize_t getline(char **, size_t *, FILE *);
int putc(int, FILE *);
int fputc(int, FILE *);
int putchar(int);
int puts(const char *);
int fputs(const char *, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
FILE *fopen(const char *, const char *);
FILE *fdopen(int, const char *);
FILE *freopen(const char *, const char *, FILE *);
FILE *popen(const char *, const char *);
int pclose(FILE *);
int fclose(FILE *);
int fflush(FILE *);
int fileno(FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
int feof(FILE *);
int ferror(FILE *);
void clearerr(FILE *);
void perror(const char *);
int remove(const char *);
int rename(const char *, const char *);
FILE *tmpfile(void);
int setvbuf(FILE *, char *, int, size_t);
void setbuf(FILE *, char *);
int vscanf(const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vsscanf(const char *, const char *, va_list);
int fgetpos(FILE *, fpos_t *);
int fsetpos(FILE *, const fpos_t *);
char *tmpnam(char *);
ssize_t getdelim(char **, size_t *, int, FILE *);
#endif
