package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// seen reads what is drawn on a terminal until a text is there. Its cells may be drawn in any order, but each word comes whole.
func seen(t *testing.T, screen *bufio.Reader, text string) {
	t.Helper()
	var all strings.Builder
	for !strings.Contains(all.String(), text) {
		b, err := screen.ReadByte()
		require.NoError(t, err, all.String())
		all.WriteByte(b)
	}
}

// top fills the terminal, shows other things by keys, and ends by q. The job does not notice.
func TestTopOnATerminalEndsByQ(t *testing.T) {
	alone(t)
	screen, terminal := openTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100}))
	m := command(t, "-n", "3", "RANK", "watched")
	end := begin(t, m)
	awaitView(t, m, allButFirst)

	v := command(t, "top", "--interval", "200ms", strconv.Itoa(m.Process.Pid))
	v.Env = append(v.Env, "TERM=xterm")
	v.Stdin, v.Stdout, v.Stderr = terminal, terminal, os.Stderr
	require.NoError(t, v.Start())
	drawn := bufio.NewReader(screen)
	seen(t, drawn, "holding others up")
	for _, view := range []struct{ key, word string }{{"m", "FOR"}, {"t", "STATE"}} { // no letter of which is where it was before
		_, err := screen.WriteString(view.key)
		require.NoError(t, err)
		seen(t, drawn, view.word)
	}
	_, err := screen.WriteString("q")
	require.NoError(t, err)
	left := make(chan struct{})
	go func() { // else it cannot write its last words
		defer close(left)
		for _, err := drawn.ReadByte(); err == nil; _, err = drawn.ReadByte() {
		}
	}()
	assert.Zero(t, v.status(t))
	awaitView(t, m, allButFirst)
	end()
	require.NoError(t, terminal.Close())
	<-left
}
