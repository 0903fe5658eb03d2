/* The ends of the program, without C's library. */
#if defined(__x86_64__)
static long __hornbeam_system(long n, long a, long b, long c) {
  long r;
  __asm__ volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return r;
}
#define __HORNBEAM_WRITE 1
#define __HORNBEAM_EXIT 231
#elif defined(__i386__)
static long __hornbeam_system(long n, long a, long b, long c) {
  long r;
  __asm__ volatile("int $0x80" : "=a"(r) : "0"(n), "b"(a), "c"(b), "d"(c) : "memory");
  return r;
}
#define __HORNBEAM_WRITE 4
#define __HORNBEAM_EXIT 252
#else
extern long write(int, const void *, unsigned long);
extern void _exit(int);
static long __hornbeam_system(long n, long a, long b, long c) {
  if (n)
    return write(a, (const void *)b, c);
  _exit(a);
}
#define __HORNBEAM_WRITE 1
#define __HORNBEAM_EXIT 0
#endif
static void __hornbeam_exit(int code) {
  for (;;)
    __hornbeam_system(__HORNBEAM_EXIT, code, 0, 0);
}
static void __hornbeam_reached(void) {
  static const char message[] = "the error is reached\n";
  __hornbeam_system(__HORNBEAM_WRITE, 2, (long)message, sizeof message - 1);
  __hornbeam_exit(107);
}
