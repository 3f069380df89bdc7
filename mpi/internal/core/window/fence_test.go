package window

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// No rank leaves a meeting before all have come, however often they meet.
func TestAllMeet(t *testing.T) {
	const ranks = 4
	c := newControl(0, ranks)
	var all sync.WaitGroup
	var come [1000][ranks]bool
	for rank := range ranks {
		all.Go(func() {
			for i := range come {
				come[i][rank] = true
				m, last := c.attend(rank)
				for !last && c.meeting().number() == m.number() {
					runtime.Gosched()
				}
				if come[i] != [ranks]bool{true, true, true, true} {
					t.Error("a rank has left alone")
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, meeting(1000)<<meetingShift, c.meeting())
}

// A meeting is broken for all that have come, and for those that come later, or for none.
func TestAMeetingThatIsBroken(t *testing.T) {
	c := newControl(0, 2)
	m, last := c.attend(0)
	require.False(t, last || m.broken())
	require.True(t, c.spoil(m.number()))
	require.True(t, c.spoil(m.number()))
	n, last := c.attend(1)
	require.False(t, last)
	require.True(t, n.broken())
	require.True(t, c.change(n, n.next()))

	m, _ = c.attend(1)
	require.EqualValues(t, 1, m.number())
	_, last = c.attend(0)
	require.True(t, last)
	require.False(t, c.spoil(m.number()), "all have come")
	require.Equal(t, meeting(2)<<meetingShift, c.meeting())
}

// The number of meetings begins anew.
func TestAfterManyMeetings(t *testing.T) {
	m := meeting(1<<31-1)<<meetingShift | 1
	require.Zero(t, m.next())
	require.Zero(t, (m | meetingBroken).next())
}
