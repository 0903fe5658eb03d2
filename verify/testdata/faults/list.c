// property: memory
// gcc: address
#include <stdlib.h>
struct node { struct node *next; };
int nondet(void);
int main(void) {
  struct node a = {0}, b = {&a}, *p = &b;
  while (p) {
#ifdef FAULT
    p = p->next->next;
#else
    p = p->next;
#endif
  }
  struct node *q = a.next;
#ifdef FAULT
  return q->next != 0;
#endif
  return q != 0;
}
