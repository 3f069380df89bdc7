package udp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/thread"
)

// Wherever a Wake finds Block, even where that stops to keep its thread, it makes it return.
func TestWakeEndsBlock(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		for i := range 400 {
			about, done := make(chan struct{}), make(chan error, 1)
			go func() {
				close(about)
				done <- a.Block(time.Time{})
			}()
			<-about
			begun := time.Now()
			for wait := thread.Longest + time.Duration(i-200)*time.Microsecond; time.Since(begun) < wait; {
			}
			a.Wake()
			select {
			case err := <-done:
				assert.NoError(t, err)
			case <-time.After(10 * time.Second):
				require.FailNow(t, "lost")
			}
		}
	})
}
