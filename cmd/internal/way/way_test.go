package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where the functions that way.go names are still on the way, a message has a way over each design.
func TestAMessageHasItsWay(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library once more")
	}
	var out bytes.Buffer
	require.NoError(t, trace(&out, "../../..", designs, 10, true, true))
	ways := strings.Split(out.String(), "\n\n")
	require.Len(t, ways, len(designs)*4*2+1, "a head and a list for each of four parts, and the end")
	for i, design := range designs {
		parts := ways[i*8 : i*8+8]
		require.Regexp(t, "^"+design+", down: .* calls of .* functions$", parts[0])
		require.Regexp(t, `^  mpi.Send  mpi/send.go\n`, parts[1])
		require.Regexp(t, "^"+design+", Send, after it: ", parts[2])
		require.Regexp(t, `^  mpi.Recv  mpi/recv.go\n`, parts[5])
		require.Regexp(t, "^"+design+", up: ", parts[6])
		require.Regexp(t, regexp.MustCompile(`(?m)^ +\w+\.\S+\.Poll(Fast)?\b`), parts[7])
	}
}

// The call is noted in the line of the function's beginning, so that lines stay what they are.
func TestEachFunctionNotesItsCall(t *testing.T) {
	const source = `package p

import "sync"

type list[T any] struct{ all []T }

func (l *list[T]) each(do func(T)) {
	for _, x := range l.all {
		func() { do(x) }()
	}
}

func (l list[T]) Len() int { return len(l.all) }

func outside()

func main() { new(sync.Once).Do(func() {}) }
`
	const noted = `package p; import waycalls "github.com/sctpmpi/sctpmpi/way/calls"

import "sync"

type list[T any] struct{ all []T }

func (l *list[T]) each(do func(T)) {defer waycalls.Enter(0)();
	for _, x := range l.all {
		func() {defer waycalls.Enter(1)(); do(x) }()
	}
}

func (l list[T]) Len() int {defer waycalls.Enter(2)(); return len(l.all) }

func outside()

func main() {defer waycalls.Enter(3)(); new(sync.Once).Do(func() {defer waycalls.Enter(4)();}) }

var _ = waycalls.Enter
`
	var functions []function
	out, err := note("a/p/p.go", []byte(source), &functions)
	require.NoError(t, err)
	require.Equal(t, noted, string(out))
	require.Equal(t, []function{
		{"a/p", "p.go", "list.each"}, {"a/p", "p.go", "list.each.func1"}, {"a/p", "p.go", "list.Len"},
		{"a/p", "p.go", "main"}, {"a/p", "p.go", "main.func1"},
	}, functions)
}

func TestParts(t *testing.T) {
	call := func(depth int, name string) step {
		pkg, name, _ := strings.Cut(name, ":")
		return step{function{pkg: pkg, name: name}, depth}
	}
	send := part{
		call(0, "mpi:Send"), call(1, "tcprpi/internal/socket:oneSlice"), call(2, "m:errno"), call(1, "mpi:done"),
	}
	recv := part{
		call(0, "mpi:Recv"), call(1, "l:Link.Poll"), call(2, "n:Network.Poll"), call(1, "d:rest"), call(1, "l:Link.Poll"),
		call(2, "m:Arrive"), call(1, "mpi:done"),
	}
	w, err := parted(send, recv)
	require.NoError(t, err)
	require.Equal(t, way{down: send[:3], after: send[3:], before: recv[:1], up: recv[4:]}, w)
	require.Equal(t, counts{calls: 3, functions: 3, packages: 3, changes: 2}, w.up.count())

	_, err = parted(send[3:], recv)
	require.ErrorIs(t, err, errNotHandedOver)
	_, err = parted(send, recv[:1])
	require.ErrorIs(t, err, errNoLook)
}
