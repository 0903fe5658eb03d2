// Package passes lists all preprocessing passes, those that run by default, and reads lists of their names. Its tests run the
// passes, one by one and together, on drawn systems and check the witnesses that they carry back.
package passes
