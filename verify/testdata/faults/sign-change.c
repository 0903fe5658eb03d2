// property: conversion
int nondet(void);
int main(void) {
  int x = nondet();
#ifndef FAULT
  if (x < 0) return 0;
#endif
  unsigned u = x;
  return u == 5;
}
