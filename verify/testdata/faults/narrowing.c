// property: conversion
int nondet(void);
int main(void) {
  int x = nondet();
#ifdef FAULT
  if (x < -128 || x > 128) return 0;
#else
  if (x < -128 || x > 127) return 0;
#endif
  signed char c = x;
  return c == 5;
}
