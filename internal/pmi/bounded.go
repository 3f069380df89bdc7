package pmi

import (
	"context"
	"errors"
	"os"
	"time"
)

// bounded runs a blocking operation on a connection and ends it as soon as ctx ends, in which case it returns the
// context's cause. setDeadline sets the deadline of that operation; it is left without one.
func bounded(ctx context.Context, setDeadline func(time.Time) error, operation func() error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		_ = setDeadline(time.Unix(1, 0)) // fails only on a closed connection, where nothing blocks
	})
	err := operation()
	if !stop() {
		<-interrupted
		_ = setDeadline(time.Time{})
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return context.Cause(ctx)
		}
	}
	return err
}
