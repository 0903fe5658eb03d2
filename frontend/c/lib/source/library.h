/* What the functions here use beside each other. */
#define size_t __SIZE_TYPE__

/* Any value; in a run it is the argument. */
int __hornbeam_any(int usual);
/* Says that behaviour is undefined if the condition does not hold. */
void __hornbeam_defined(int condition);
/* Ends runs in which the condition does not hold. */
void __hornbeam_assume(int condition);

void *malloc(size_t size);
