// Package itp finds interpolants and separating half-spaces: exact linear programs, Farkas certificates, separation of
// several cubes by one half-space or equality, interpolants by projecting, separating and verifying, and quantifier
// elimination by model-based projection. Half-spaces are recomputed exactly from their certificates before they are
// returned, and interpolants of two formulas are checked in a fresh solver; those of trees are what the queries showed that made
// them; elimination is as exact as the projection that it repeats.
package itp
