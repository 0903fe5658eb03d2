// Regions: a list on the heap, an object with its address taken, bytes where sizes mix, and calls through a pointer.
extern void *malloc(unsigned long);
extern void __VERIFIER_assert(int);
struct node { int value; struct node *next; };
union view { int whole; unsigned char bytes[4]; };
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = list;
  return n;
}
int main(int argc, char **argv) {
  struct node *list = push(push(0, 1), 2);
  int x = 0, *p = argc > 2 ? &x : (int *)0;
  union view v;
  int (*op)(int) = argc > 1 ? twice : thrice;
  v.whole = 258;
  if (p)
    *p = op(list->next->value);
  __VERIFIER_assert(x + v.bytes[0] != 5);
  return 0;
}
