package hosts

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHostsOfACommandLine(t *testing.T) {
	for text, want := range map[string]List{
		"a":                     {{"a", 1}},
		"a:4,b:2":               {{"a", 4}, {"b", 2}},
		"a,b,a":                 {{"a", 2}, {"b", 1}},
		"me@a.example:3":        {{"me@a.example", 3}},
		"10.0.0.1:2,fe80::1":    {{"10.0.0.1", 2}, {"fe80::1", 1}},
		"[fe80::1]:4,[fe80::2]": {{"fe80::1", 4}, {"fe80::2", 1}},
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, why := range map[string]string{
		"":        `"" is not the name of a host`,
		"a,,b":    `"" is not the name of a host`,
		"-oProxy": `"-oProxy" is not the name of a host`,
		"a:0":     "a:0: slots must be a number from 1",
		"a:many":  "a:many: slots must be a number from 1",
	} {
		_, err := Parse(text)
		assert.ErrorContains(t, err, why)
	}
}

func TestFilesOfOtherLaunchers(t *testing.T) {
	list, err := Read(strings.NewReader("# nodes\na slots=4 max_slots=8\n\nb:2 # Hydra\nc\na\n"))
	require.NoError(t, err)
	assert.Equal(t, List{{"a", 5}, {"b", 2}, {"c", 1}}, list)
	for text, why := range map[string]string{
		"a\nb slots=x\n": "line 2: slots=x: slots must be a number",
		"# none\n":       "it names no host",
	} {
		_, err := Read(strings.NewReader(text))
		assert.ErrorContains(t, err, why)
	}
}

func TestPlaces(t *testing.T) {
	list := List{{"a", 3}, {"b", 1}, {"c", 2}}
	for _, test := range []struct {
		ranks  int
		policy Policy
		want   []int
	}{
		{1, BySlot, []int{0}},
		{6, BySlot, []int{0, 0, 0, 1, 2, 2}},
		{6, ByNode, []int{0, 1, 2, 0, 2, 0}},
		{2, ByNode, []int{0, 1}},
		{8, BySlot, []int{0, 0, 0, 1, 2, 2, 0, 0}},
		{7, ByNode, []int{0, 1, 2, 0, 2, 0, 0}},
	} {
		got, err := list.Place(test.ranks, test.policy, true)
		require.NoError(t, err)
		assert.Equal(t, test.want, got, "%+v", test)
	}
	_, err := List{{"a", 2}}.Place(4, BySlot, false)
	require.EqualError(t, err, "the hosts have 2 slots, and the job has 4 ranks; add slots, as in a:4, or say --oversubscribe")
	_, err = list.Place(1, "socket", false)
	require.EqualError(t, err, "--map-by socket: there are slot and node")
}

func TestThisHostIsKnownByItsNames(t *testing.T) {
	own, err := os.Hostname()
	require.NoError(t, err)
	for _, name := range []string{"localhost", own, "127.0.0.1"} {
		assert.True(t, IsLocal(name), name)
	}
	for _, name := range []string{"no-such-host", "192.0.2.1"} {
		assert.False(t, IsLocal(name), name)
	}
	assert.True(t, isOwn("node1", "node1.cluster"))
	assert.False(t, isOwn("node1.other", "node1.cluster"))
}
