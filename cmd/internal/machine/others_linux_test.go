package machine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTimeOfAllProgramsIsRead(t *testing.T) {
	all, ok := busyTime([]byte("cpu  100 20 30 4000 5 60 70 8 0 0\ncpu0 1 2 3\n"))
	assert.True(t, ok)
	assert.Equal(t, 1580*time.Millisecond, all, "without idle time and interrupts")
	for _, text := range []string{"", "cpu 1 2 3\n", "intr 1 2 3 4 5 6 7 8 9\n", "cpu a b c d e f g h i\n"} {
		_, ok := busyTime([]byte(text))
		assert.False(t, ok, text)
	}
	all, ok = usedByAll()
	assert.True(t, ok)
	assert.GreaterOrEqual(t, all, usedHere()-time.Second, "this process is one of them")
}

func TestOthersAreAllButThisProgram(t *testing.T) {
	assert.InDelta(t, 1.5, average(40*time.Second, 10*time.Second, 20*time.Second), 1e-9)
	assert.Zero(t, average(9*time.Second, 10*time.Second, 20*time.Second), "clocks differ")
	assert.Zero(t, average(time.Second, 0, 0))
	assert.GreaterOrEqual(t, Others()(), 0.0)
}
