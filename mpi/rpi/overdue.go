package rpi

import (
	"context"
	"fmt"
	"time"
)

// Overdue is the error of a connection that was not made within Config.ConnectTimeout. It is also
// context.DeadlineExceeded.
func Overdue(timeout time.Duration) error { return overdue(timeout) }

type overdue time.Duration

func (d overdue) Error() string {
	return fmt.Sprintf("no connection within %v (%s)", time.Duration(d), EnvConnectTimeout)
}

func (d overdue) Is(target error) bool { return target == context.DeadlineExceeded }

// Connecting returns a context that ends after cfg.ConnectTimeout, with the cause Overdue.
func (cfg Config) Connecting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, cfg.ConnectTimeout, Overdue(cfg.ConnectTimeout))
}
