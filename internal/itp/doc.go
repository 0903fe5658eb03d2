// Package itp finds interpolants and separating half-spaces: exact linear programs, Farkas certificates, separation of
// several cubes by one half-space or equality, interpolants by projecting, separating and verifying, and quantifier
// elimination by model-based projection. Nothing leaves the package that was not verified, by the exact sum of its
// certificate or by a fresh solver.
package itp
