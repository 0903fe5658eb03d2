// Package earlysignal keeps SIGINT and SIGTERM from killing the process silently before it can handle them. Importing it
// is enough: from the moment at which the dynamic linker has loaded the program, these signals end it with the verdict
// and the exit code that the command on its command line has for an interrupted run, until Handled is called.
package earlysignal

// #include <signal.h>
// extern volatile sig_atomic_t hb_handled;
import "C"

// Handled says that the program handles the signals itself from now on. It is called after signal.Notify.
func Handled() { C.hb_handled = 1 }
