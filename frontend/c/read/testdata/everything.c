#include <assert.h>
#include <stdlib.h>
struct P { int x; unsigned b : 3; union { int u; char c[4]; }; struct { short s, t; } in; struct P *next; };
struct P g = { 1, 2, { 3 }, .in.t = 5, .in = { .s = 9 } };
int tent; int tent = 3; int tent;
extern int ext[]; extern int unused;
char str[] = "ab" "c";
const int fixed[4] = { 1, [3] = 2 };
enum E { A, B = 5, C } e;
static int fact(int n) { static int calls; calls++; return n <= 1 ? 1 : n * fact(n - 1); }
int old(a, b) char a; int *b; { return a + *b; }
int (*fp)(int) = fact;
typedef int F(int);
F *fp2 = &fact;
int other(int a[5], int n, int m[][n]) { return sizeof a + sizeof m[0]; }
int main(int argc, char **argv) {
	unsigned char uc = 250; uc += 300; uc++;
	int i, x = 'a', *p = &x, m[3][4];
	for (i = 0; i < 10; i++) { if (i == 5) continue; m[1][i] = i; *(m[1] + 2) = 7; }
	struct P s = g, t; t = s; s.b = 9; p[2] = s.b + s.u; s.c[1] = 3; t.b += s.b--;
	switch (uc) { case 456: x = 1; break; default: x = 2; case 'b' ... 'd': { case 7: x++; } }
	assert(x == (-1 < 1u) && x);
	long long ll = 2147483648; ll = x ? x : 3.5; ll = (char)x << 1L;
	int n = x; int vla[n + 1][3]; vla[n][2] = sizeof vla;
	p = malloc(sizeof(int) * 4); p++; p += n; i = &m[1][2] - *m;
	(*fp)(3); (**fp)(3); fp(3); (&fact)(4); (*fact)(5); old('a', p); e = B; undeclared(3.5f, uc); later();
	int r = ({ int q = 4; q + 1; });
	asm volatile("" : "=r"(x) : "r"(i), "m"(e) : "memory");
	goto L; for (;;) { L: }
	x = ext[1], i = __func__[0]; x = !p || (x && i) || p == 0;
	char *w = "shared", *v = "shared"; w = 1 + w; n = w - v; x = w < v;
	_Bool flag = 3; flag += 2; flag = p; double d = x; d *= 2; x = d; x = n ?: 4;
	x = i + 2147483647 + 1; x = 2147483647 + 1; x = 1 / 0; x = (0 && undeclared(1)) || 1;
	void *q = &t.in.s; q = (char *)q + sizeof(struct P); ((struct P *)q)->next->next = q ? 0 : &g;
	do { if (x) break; } while (x--);
	if ((unsigned short)x > -1) ; else return;
	return (struct P){ .x = 4 }.x + sizeof(struct P) + (x << 3L) + -2147483647 - 1;
}
void later(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); n = *__builtin_va_arg(l, char *); later(1, n, 2L); void *a = &&L; L: goto *a; }
