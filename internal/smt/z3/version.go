package z3

// #include <z3.h>
// #include <z3_version.h>
import "C"

import "fmt"

// Version returns the version of the library, as in 4.8.12.
func Version() string {
	var major, minor, build, revision C.uint
	C.Z3_get_version(&major, &minor, &build, &revision)
	return fmt.Sprintf("%d.%d.%d", major, minor, build)
}

// HeaderVersion returns the version of the header that the binding was compiled with. The library may be another one: all
// from 4.8.12 on have the same name for the loader.
func HeaderVersion() string {
	return fmt.Sprintf("%d.%d.%d", C.Z3_MAJOR_VERSION, C.Z3_MINOR_VERSION, C.Z3_BUILD_NUMBER)
}
