#ifndef HORNBEAM_FEATURES_H
#define HORNBEAM_FEATURES_H
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 31
#endif
