// Shortest paths by Bellman and Ford in any graph of N nodes and 2 N edges without negative ones: no distance is negative.
#include <assert.h>

#define N 8
#define EDGES (2 * N)
#define FAR 1000000

extern int __VERIFIER_nondet_int(void);

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

int source[EDGES], target[EDGES], weight[EDGES];
int distance[N];

int main(void) {
  for (int e = 0; e < EDGES; e++) {
    source[e] = __VERIFIER_nondet_int();
    target[e] = __VERIFIER_nondet_int();
    weight[e] = __VERIFIER_nondet_int();
    if (source[e] < 0 || source[e] >= N || target[e] < 0 || target[e] >= N)
      return 0;
    if (weight[e] < 0 || weight[e] > 100)
      return 0;
  }
  for (int v = 0; v < N; v++)
    distance[v] = v == 0 ? 0 : FAR;
  for (int round = 1; round < N; round++)
    for (int e = 0; e < EDGES; e++) {
      int length = distance[source[e]] + weight[e];
      if (length < distance[target[e]])
        distance[target[e]] = length;
#ifdef BUG
      __VERIFIER_assert(distance[target[e]] > 0);
#else
      __VERIFIER_assert(distance[target[e]] >= 0);
#endif
    }
  return 0;
}
