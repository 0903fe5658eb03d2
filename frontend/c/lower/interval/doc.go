// Package interval has the abstract domain of the analysis of ranges: intervals of integers, reduced with congruences (Granger's
// domain), with the bits that a number may have, and with the knowledge that 0 is left out.
package interval
