//go:build unix

package pmi

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain makes the test binary a rank of a job when a launcher's descriptor is there.
func TestMain(m *testing.M) {
	if os.Getenv("PMI_FD") != "" {
		rankMain()
		return
	}
	os.Exit(m.Run())
}

func rankMain() {
	ctx := context.Background()
	c, err := Open(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, again := Open(ctx)
	children, _ := exec.Command("/bin/sh", "-c", "[ -e /proc/self/fd/$PMI_FD ] && echo inherited").Output()
	fmt.Println(c.Rank(), c.Size(), c.Fence(ctx), c.Finalize(ctx))
	fmt.Println(again)
	fmt.Printf("%q\n", children)
}

// runRank starts this binary with a descriptor 3 and returns what it prints.
func runRank(t *testing.T, file *os.File, environment ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), environment...)
	if file != nil {
		command.ExtraFiles = []*os.File{file}
	}
	output, err := command.CombinedOutput()
	require.NoError(t, err)
	return string(output)
}

func TestRankOpensTheInheritedSocketOnceAndKeepsItToItself(t *testing.T) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	conn, err := net.FileConn(ours)
	require.NoError(t, err)
	require.NoError(t, ours.Close())

	s := newTestServer(t, Config{Size: 1})
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.ServeConn(0, conn)
	}()
	output := runRank(t, theirs, "PMI_FD=3", "PMI_RANK=0", "PMI_SIZE=1")
	require.NoError(t, theirs.Close())
	<-served
	assert.Equal(t, "0 1 <nil> <nil>\npmi: PMI_FD=3: "+
		"not open in this process; was it started by a rank of a job? bad file descriptor (unset PMI_FD to run alone)\n\"\"\n", output)
	assert.Equal(t, Finalised, s.Phase(0))
}

func TestDescriptorThatIsNoSocketIsAnError(t *testing.T) {
	file, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer file.Close()
	environment := []string{"PMI_FD=3", "PMI_RANK=0", "PMI_SIZE=1"}
	assert.Contains(t, runRank(t, file, environment...), "PMI_FD=3: not a socket; was this process started by a rank of a job?")
}
