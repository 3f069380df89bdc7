package budget

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// taken is how often one can be taken at a time.
func taken(b *Budget, now time.Duration) (n int) {
	for b.Take(now) {
		n++
	}
	return n
}

func TestABudgetIsFilledAgain(t *testing.T) {
	b := New(10, 4)
	assert.Equal(t, 10, taken(&b, time.Second), "at once")
	assert.Zero(t, taken(&b, time.Second))
	assert.Equal(t, 2, taken(&b, 1500*time.Millisecond), "in half a second")
	assert.Zero(t, taken(&b, time.Second), "time does not go back")
	assert.Equal(t, 10, taken(&b, time.Hour), "never more than at once")
}
