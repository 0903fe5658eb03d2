#ifndef HORNBEAM_STDALIGN_H
#define HORNBEAM_STDALIGN_H
#define alignas _Alignas
#define alignof _Alignof
#endif
