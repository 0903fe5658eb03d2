// verdict: safe
// Two lists of allocated cells do not share anything.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

extern void *malloc(__SIZE_TYPE__);

static void check(int condition) {
  if (!condition)
    reach_error();
}

struct cell {
  int value;
  struct cell *next;
};

static struct cell *push(struct cell *rest, int value) {
  struct cell *c = malloc(sizeof *c);
  c->value = value;
  c->next = rest;
  return c;
}

static int sum(struct cell *list) {
  int s = 0;
  for (; list; list = list->next)
    s += list->value;
  return s;
}

int main(void) {
  struct cell *a = push(push(push(0, 1), 2), 3);
  struct cell *b = push(push(push(0, 10), 20), 30);
  check(sum(a) == 6 && sum(b) == 60);
  for (struct cell *c = b; c; c = c->next)
    c->value = 0;
  check(sum(a) == 6);
  return 0;
}
