#ifndef HORNBEAM_STDNORETURN_H
#define HORNBEAM_STDNORETURN_H
#define noreturn _Noreturn
#endif
