package main

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal makes a terminal: what is written to it can be read from screen.
func openTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there are no terminals: %v", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("the terminal cannot be opened: %v", err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	return screen, terminal
}

// The rank waits until what it has drawn has been seen, which has no newline.
func TestProgressBarIsSeenThroughMpirun(t *testing.T) {
	screen, terminal := openTerminal(t)
	m := command(t, "-n", "1", "RANK", "draw")
	m.Stderr = terminal
	stdin, err := m.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, m.Start())
	seen, err := bufio.NewReader(screen).ReadString('%')
	require.NoError(t, err)
	assert.Equal(t, "\r10%", seen)
	require.NoError(t, stdin.Close())
	assert.Zero(t, m.status(t))
}
