package machine

import "math/big"

// Power returns 2^n, which is not to be changed.
func Power(n int) *big.Int {
	if n < len(powers) {
		return powers[n]
	}
	return new(big.Int).Lsh(big.NewInt(1), uint(n))
}

// powers are the powers that machine types need.
var powers = func() (ps [130]*big.Int) {
	for n := range ps {
		ps[n] = new(big.Int).Lsh(big.NewInt(1), uint(n))
	}
	return ps
}()
