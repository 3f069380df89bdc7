package cookie

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrForged is the error of what is not a cookie of this endpoint's.
	ErrForged = errors.New("cookie: not signed here")
	// ErrStale is what a StaleError is.
	ErrStale = errors.New("cookie: stale")
)

// StaleError is the error of a cookie that comes too late.
type StaleError struct {
	// By is for how long the cookie's life has been over: the measure of
	// staleness that a Stale Cookie error cause reports.
	By time.Duration
}

func (e *StaleError) Error() string { return fmt.Sprintf("%v by %v", ErrStale, e.By) }

// Is reports whether target is ErrStale.
func (e *StaleError) Is(target error) bool { return target == ErrStale }
