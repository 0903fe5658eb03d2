package machine

import "math/big"

// Power is 2^n.
func Power(n int) *big.Int {
	if n < len(powers) {
		return powers[n]
	}
	return new(big.Int).Lsh(big.NewInt(1), uint(n))
}

// powers are those that machine types need; they are numbers that never change, as all of an interval are.
var powers = func() (ps [130]*big.Int) {
	for n := range ps {
		ps[n] = new(big.Int).Lsh(big.NewInt(1), uint(n))
	}
	return ps
}()
