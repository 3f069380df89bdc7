package driver

import (
	"context"
	"sync"
)

// WakeAtEnd wakes the goroutines that wait for c when ctx ends, unless it is stopped before.
func WakeAtEnd(ctx context.Context, c *sync.Cond) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		c.L.Lock()
		defer c.L.Unlock()
		c.Broadcast()
	})
}
