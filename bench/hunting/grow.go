package main

// largest looks for the largest size at which try succeeds, up to a limit: it doubles the size until one fails, and then
// halves the gap until it is at most an eighth of the size. What fails at one size is taken to fail at larger ones. It
// returns the largest size that succeeded, 0 if none did, and the smallest that failed, 0 if none did.
func largest(limit int, try func(int) (bool, error)) (solved, failed int, err error) {
	for size := 1; size <= limit; size *= 2 {
		ok, err := try(size)
		if err != nil {
			return 0, 0, err
		}
		if !ok {
			failed = size
			break
		}
		solved = size
	}
	for failed > 0 && failed-solved > max(1, solved/8) {
		size := (solved + failed) / 2
		ok, err := try(size)
		if err != nil {
			return 0, 0, err
		}
		if ok {
			solved = size
		} else {
			failed = size
		}
	}
	return solved, failed, nil
}
