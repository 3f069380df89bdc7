package loggp

// Port is one end of a flood: a sender begins sends, or operations in the other's memory, a receiver begins receives.
type Port interface {
	// Begin begins so many operations, without waiting for them.
	Begin(n int) error
	// Complete waits until so many are complete at this end, those first that began first.
	Complete(n int) error
	// Answer ends a flood, when all is complete at this end: the receiver sends an answer, the sender waits for it.
	Answer() error
}

// Flood is one end's part in a flood of n messages: it begins depth of them, and then again and again completes half of
// them and begins as many. Between beginning and completing some it computes for these, unless compute is nil.
func Flood(p Port, n, depth int, compute func(messages int)) error {
	begun, half := min(depth, n), max(depth/2, 1)
	if err := p.Begin(begun); err != nil {
		return err
	}
	for fresh, completed := begun, 0; completed < n; {
		if compute != nil {
			compute(fresh)
		}
		fresh = min(half, n-begun)
		leave := half
		if fresh == 0 {
			leave = begun - completed
		}
		if err := p.Complete(leave); err != nil {
			return err
		}
		completed += leave
		if fresh > 0 {
			if err := p.Begin(fresh); err != nil {
				return err
			}
			begun += fresh
		}
	}
	return p.Answer()
}
