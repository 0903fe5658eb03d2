#ifndef HORNBEAM_SETJMP_H
#define HORNBEAM_SETJMP_H
typedef long jmp_buf[32];
typedef long sigjmp_buf[32];
int setjmp(jmp_buf);
int _setjmp(jmp_buf);
int sigsetjmp(sigjmp_buf, int);
void longjmp(jmp_buf, int) __attribute__((noreturn));
void siglongjmp(sigjmp_buf, int) __attribute__((noreturn));
#endif
