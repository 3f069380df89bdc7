package streams

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePoolIsSharedByWhatIsFree(t *testing.T) {
	p := NewPool(0, 1000, 80_000)
	var read, other, third Share
	assert.Equal(t, 1000+40_000, p.Allowance(&other), "half is for those of which nothing has been read")
	p.Set(&other, 1000+16_000, false)
	assert.Equal(t, 1000+24_000, p.Allowance(&third))
	p.Set(&read, 500, true)
	assert.Equal(t, 1000+16_000, p.Allowance(&read), "a quarter of the rest")
	assert.False(t, p.Scarce())
	p.Set(&third, 1000+24_000, false)
	assert.True(t, p.Scarce())
	assert.Equal(t, 1000, p.Allowance(&third), "which has more")
	p.Set(&third, 0, true)
	assert.Equal(t, 1000+24_000, p.Allowance(&other))
}

func TestTheRestBoundsNewStreamsToo(t *testing.T) {
	p := NewPool(0, 1000, 80_000)
	p.Set(&Share{}, 1000+70_000, true)
	assert.Equal(t, 1000+10_000, p.Allowance(&Share{}))
}

func TestAStreamHasItsLimit(t *testing.T) {
	p := NewPool(5000, 1000, 80_000)
	assert.Equal(t, 5000, p.Allowance(&Share{}))
}

// Streams that take no more than they may never take more than there is, and what is taken adds up.
func TestThePoolIsNeverExceeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		base, size := 256+rng.IntN(5000), 32<<10+rng.IntN(1<<20)
		p := NewPool(0, base, size)
		shares, unread := make([]Share, 50), make([]int, 50)
		for range 1000 {
			i := rng.IntN(len(shares))
			if s := &shares[i]; rng.IntN(3) > 0 {
				if more := p.Allowance(s) - unread[i]; more > 0 {
					unread[i] += 1 + rng.IntN(more)
				}
				p.Set(s, unread[i], s.Read)
			} else if i%2 > 0 { // the others are never read
				unread[i] -= rng.IntN(unread[i] + 1)
				p.Set(s, unread[i], true)
			}
			total, fresh := 0, 0
			for i := range shares {
				total += max(unread[i]-base, 0)
				if !shares[i].Read {
					fresh += max(unread[i]-base, 0)
				}
			}
			require.Equal(t, total, p.total)
			require.Equal(t, fresh, p.unread)
			require.LessOrEqual(t, total, size)
			require.LessOrEqual(t, fresh, size/2)
		}
	}
}
