#ifndef HORNBEAM_SMACK_CONTRACTS_H
#define HORNBEAM_SMACK_CONTRACTS_H
void __CONTRACT_requires(int);
void __CONTRACT_ensures(int);
void __CONTRACT_invariant(int);
int __CONTRACT_forall(const char *, int);
int __CONTRACT_exists(const char *, int);
int __CONTRACT_old();
int __CONTRACT_result();
int __CONTRACT_variable(const char *, ...);
#define requires(condition) __CONTRACT_requires(condition)
#define ensures(condition) __CONTRACT_ensures(condition)
#define invariant(condition) __CONTRACT_invariant(condition)
#define forall(variable, condition) __CONTRACT_forall(variable, condition)
#define exists(variable, condition) __CONTRACT_exists(variable, condition)
#define qvar(variable, type) __CONTRACT_variable(variable, (type)0)
#define old(value) __CONTRACT_old(value)
#define result() __CONTRACT_result()
#endif
