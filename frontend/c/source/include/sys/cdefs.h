#ifndef HORNBEAM_SYS_CDEFS_H
#define HORNBEAM_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#endif
