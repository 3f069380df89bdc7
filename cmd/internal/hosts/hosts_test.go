package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHostsOfACommandLine(t *testing.T) {
	for text, want := range map[string]List{
		"a":                     {{"a", 0}},
		"a:4,b:2":               {{"a", 4}, {"b", 2}},
		"a,b,a":                 {{"a", 2}, {"b", 0}},
		"Node1:2,node1":         {{"Node1", 3}},
		"fe80::1%eth0":          {{"fe80::1%eth0", 0}},
		"me@a.example:3":        {{"me@a.example", 3}},
		"10.0.0.1:2,fe80::1":    {{"10.0.0.1", 2}, {"fe80::1", 0}},
		"[fe80::1]:4,[fe80::2]": {{"fe80::1", 4}, {"fe80::2", 0}},
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	const name = " is not the name of a host: that has letters, digits and . _ - + in it, and no - first"
	for text, why := range map[string]string{
		"":                       `""` + name,
		"a,,b":                   `""` + name,
		"-oProxy":                `"-oProxy"` + name,
		"me@-oProxy":             `"me@-oProxy"` + name,
		"-l@a":                   `"-l@a"` + name,
		"@a":                     `"@a"` + name,
		"a b":                    `"a b"` + name,
		"a;reboot":               `"a;reboot"` + name,
		"a$(x)":                  `"a$(x)"` + name,
		"ssh://a":                `ssh://a: slots must be a number from 1 to 1048576`,
		"a\x00":                  `"a\x00"` + name,
		"ä":                      `"ä"` + name,
		":4":                     `":4"` + name,
		"a:4:4":                  `"a:4:4"` + name,
		"[fe80::1":               `"[fe80::1"` + name,
		"[fe80::1]4":             `"[fe80::1]4"` + name,
		"::1%$(x)":               `"::1%$(x)"` + name,
		"[::1%;x]:4":             `"[::1%;x]:4": there is no address in the brackets`,
		"::1%-x":                 `"::1%-x"` + name,
		"[a]:4":                  `"[a]:4": there is no address in the brackets`,
		"[]":                     `"[]": there is no address in the brackets`,
		"[fe80::1]:0":            `[fe80::1]:0: slots must be a number from 1 to 1048576`,
		"a:0":                    "a:0: slots must be a number from 1 to 1048576",
		"a:-1":                   "a:-1: slots must be a number from 1 to 1048576",
		"a:+1":                   "a:+1: slots must be a number from 1 to 1048576",
		"a:":                     "a:: slots must be a number from 1 to 1048576",
		"a:many":                 "a:many: slots must be a number from 1 to 1048576",
		"a:999999999":            "a:999999999: slots must be a number from 1 to 1048576",
		"a:99999999999":          "a:99999999999: slots must be a number from 1 to 1048576",
		strings.Repeat("a", 256): `"` + strings.Repeat("a", 60) + `"…` + name,
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, why)
	}
}

func TestThereAreNotAnyNumberOfHosts(t *testing.T) {
	var names []string
	for i := range maxHosts {
		names = append(names, fmt.Sprint("node", i))
	}
	list, err := Parse(strings.Join(append(names, names...), ","))
	require.NoError(t, err)
	assert.Equal(t, 2*maxHosts, list.Slots())
	_, err = Parse(strings.Join(append(names, "more"), ","))
	assert.EqualError(t, err, "there can be 4096 hosts at most")
}

func TestFilesOfOtherLaunchers(t *testing.T) {
	list, err := Read(strings.NewReader("# nodes\na slots=4 max_slots=8\n\nb:2 # Hydra\nc\na\n"))
	require.NoError(t, err)
	assert.Equal(t, List{{"a", 5}, {"b", 2}, {"c", 0}}, list)
	for text, why := range map[string]string{
		"a\nb slots=x\n":                   "line 2: slots=x: slots must be a number from 1 to 1048576",
		"a\r\n\r\n-a\r\n":                  `line 3: "-a" is not the name of a host: that has letters, digits and . _ - + in it, and no - first`,
		"a\nb c\n":                         `line 2: what is "c"? A line has one host, and settings such as slots=4`,
		"\x7fELF\x02\x01\x00\n":            `line 1: "\x7fELF\x02\x01\x00" is not the name of a host: that has letters, digits and . _ - + in it, and no - first`,
		"# none\n":                         "it names no host",
		"":                                 "it names no host",
		strings.Repeat("a\n", 1<<19) + "a": "a list of hosts has 1048576 bytes at most",
	} {
		_, err := Read(strings.NewReader(text))
		assert.EqualError(t, err, why)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "hosts")
	require.NoError(t, os.WriteFile(file, []byte("a\nb:0\n"), 0o600))
	_, err := ReadFile(file)
	assert.EqualError(t, err, file+": line 2: b:0: slots must be a number from 1 to 1048576")
	for _, name := range []string{dir, filepath.Join(dir, "none")} {
		_, err := ReadFile(name)
		require.Error(t, err)
		assert.Equal(t, 1, strings.Count(err.Error(), name), err)
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
	for ranks, want := range map[int][]int{1: {0}, 2: {0, 1}, 4: {0, 0, 1, 2}, 7: {0, 0, 0, 1, 1, 2, 2}} {
		got, err := List{{"a", 0}, {"b", 0}, {"c", 0}}.Place(ranks, BySlot, false)
		require.NoError(t, err)
		assert.Equal(t, want, got, "hosts without a number share the ranks")
	}
	got, err := List{{"a", 2}, {"b", 0}}.Place(3, BySlot, false)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 0, 1}, got)
	_, err = List{{"a", 1}, {"b", 0}}.Place(3, BySlot, false)
	require.EqualError(t, err, "the hosts have 2 slots, and the job has 3 ranks; add slots, as in a:2, or say --oversubscribe")
	_, err = List{{"a", 2}}.Place(4, BySlot, false)
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
