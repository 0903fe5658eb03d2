// Shortest paths by Bellman and Ford in a known graph of five nodes and N edges, each as long as its number: no distance is negative.
#include <assert.h>

#define N 8

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

#define NODES 5
#define FAR 1000000

int source[N], target[N], weight[N];
int distance[NODES];

int main(void) {
  int from = 0, to = 1;
  for (int e = 0; e < N; e++) {
    source[e] = from;
    target[e] = to;
    weight[e] = e;
    from = from + 2 < NODES ? from + 2 : from + 2 - NODES;
    if (from == 0)
      to = to + 1 < NODES ? to + 1 : 0;
    to = to + 1 < NODES ? to + 1 : 0;
  }
  for (int v = 0; v < NODES; v++)
#ifdef BUG
    distance[v] = v == 0 ? -1 : FAR;
#else
    distance[v] = v == 0 ? 0 : FAR;
#endif
  for (int round = 0; round < NODES; round++)
    for (int e = 0; e < N; e++)
      if (distance[target[e]] > distance[source[e]] + weight[e])
        distance[target[e]] = distance[source[e]] + weight[e];
  for (int e = 0; e < N; e++)
    if (distance[target[e]] > distance[source[e]] + weight[e])
      return 0;
  for (int v = 0; v < NODES; v++)
    __VERIFIER_assert(distance[v] >= 0);
  return 0;
}
