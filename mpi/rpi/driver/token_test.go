package driver

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOneGoroutineHasTheToken(t *testing.T) {
	tok := newToken()
	has, turns := 0, 0 // the token guards both
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 500 {
				if i%2 == 0 {
					if handed, taken := tok.wait(); !taken {
						<-handed
						tok.done()
					}
				} else if !tok.try() {
					continue
				}
				has++
				if has != 1 {
					t.Errorf("%d goroutines have the token", has)
				}
				turns++
				has--
				tok.give()
			}
		})
	}
	all.Wait()
	require.GreaterOrEqual(t, turns, 4*500)
	require.True(t, tok.free())
	require.True(t, tok.try())
	require.False(t, tok.free())
	require.False(t, tok.try())
}

// A token that was handed to a goroutine which has gone is there for others.
func TestATokenThatWasHandedInVainIsFree(t *testing.T) {
	tok := newToken()
	require.True(t, tok.try())
	_, taken := tok.wait()
	require.False(t, taken)
	tok.give()
	tok.done()
	require.True(t, tok.free())
	_, taken = tok.wait()
	require.True(t, taken)
	require.False(t, tok.free())
}
