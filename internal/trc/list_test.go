package trc

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestList(t *testing.T) {
	type channel struct{ at Link[channel] }
	var l, other List[channel]
	var c [4]channel
	require.Nil(t, l.First())
	for i := range c {
		l.Push(&c[i].at, &c[i])
		other.Push(&c[i].at, &c[i]) // it is in a list already
	}
	require.Nil(t, other.First())
	c[2].at.Remove()
	c[2].at.Remove()
	require.False(t, c[2].at.Listed())
	require.Equal(t, []*channel{&c[0], &c[1], &c[3]}, slices.Collect(l.All()))
	for each := range l.All() {
		each.at.Remove()
		other.Push(&each.at, each)
	}
	require.Nil(t, l.First())
	require.Equal(t, []*channel{&c[0], &c[1], &c[3]}, slices.Collect(other.All()))
}
