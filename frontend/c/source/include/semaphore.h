#ifndef HORNBEAM_SEMAPHORE_H
#define HORNBEAM_SEMAPHORE_H
typedef struct { long __state[4]; } sem_t;
int sem_init(sem_t *, int, unsigned int);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_post(sem_t *);
#endif
