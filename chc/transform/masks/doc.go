// Package masks makes bit-vectors of the integers that are used as sets of flags.
package masks
