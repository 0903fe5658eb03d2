#ifndef HORNBEAM_SYS_IOCTL_H
#define HORNBEAM_SYS_IOCTL_H
int ioctl(int, unsigned long, ...);
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCGWINSZ 0x5413
#endif
