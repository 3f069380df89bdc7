package meeting

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Tests start this binary again, in a role.
const (
	roleKey = "MEETING_ROLE"
	nameKey = "MEETING_NAME" // of a socket, or a place
)

var roles = map[string]func() error{
	"listen":         beListener,
	"here":           beHere,
	"dial invisible": beInvisible,
	"stranger":       beStranger,
	"squatter":       beSquatter,
}

func TestMain(m *testing.M) {
	role := os.Getenv(roleKey)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](); err != nil {
		fmt.Println(err)
	}
}

// start starts this binary in a role and returns its first line. The process is ended with the test.
func start(t *testing.T, role, name string, flags uintptr) (line string, command *exec.Cmd) {
	t.Helper()
	command = exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), roleKey+"="+role, nameKey+"="+name)
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	if err := command.Start(); flags != 0 && err != nil {
		t.Skipf("needs root: no namespace of its own: %v", err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = command.Wait()
	})
	line, err = bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line), command
}

// beListener is rank 0, which meets, writes into its segment, and waits.
func beListener() error {
	ctx := context.Background()
	l, err := Listen(config(0))
	if err != nil {
		return err
	}
	s, err := NewSegment(size)
	if err != nil {
		return err
	}
	copy(s.Bytes(), "from rank 0")
	d, err := newDoorbell()
	if err != nil {
		return err
	}
	fmt.Println(l.Place())
	m, err := l.Accept(ctx)
	if err != nil {
		return err
	}
	if _, err := m.Exchange(ctx, Offer{Segments: []*Segment{s}, Doorbell: d}); err != nil {
		return err
	}
	if _, err := m.Conclude(ctx, nil); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func TestNothingIsLeftOfAPeerThatIsKilled(t *testing.T) {
	keepsNothing(t)
	place, command := start(t, "listen", "", 0)
	name := socketName(token, 0, saltOfPlace(t, place))[1:]
	require.Contains(t, namesOfSockets(t), name)
	m, err := Dial(t.Context(), config(1), 0, place)
	require.NoError(t, err)
	require.Equal(t, command.Process.Pid, m.Process.PID)
	got, err := m.Exchange(t.Context(), Offer{})
	require.NoError(t, err)
	_, err = m.Conclude(t.Context(), nil)
	require.NoError(t, err)
	m.Close()

	ended := []unix.PollFd{{Fd: int32(m.Process.Pidfd), Events: unix.POLLIN}}
	n, err := unix.Poll(ended, 0)
	require.NoError(t, err)
	require.Zero(t, n, "the peer lives")
	require.NoError(t, command.Process.Kill())
	for n == 0 {
		n, err = unix.Poll(ended, int(patience.Milliseconds()))
		if err == unix.EINTR {
			n, err = 0, nil
		}
		require.NoError(t, err)
	}
	require.NotContains(t, namesOfSockets(t), name)
	require.Equal(t, "from rank 0", string(got.Segments[0].Bytes()[:11]), "the memory is there as long as this process has it")
	require.NoError(t, got.Doorbell.Ring())
	got.Close()
	m.Process.Close()
}

func TestAPeerThatIsKilledInTheMiddle(t *testing.T) {
	keepsNothing(t)
	place, command := start(t, "listen", "", 0)
	m, err := Dial(t.Context(), config(1), 0, place)
	require.NoError(t, err)
	_, err = m.Exchange(t.Context(), Offer{})
	require.NoError(t, err)
	require.NoError(t, command.Process.Kill())
	_, err = m.Conclude(t.Context(), nil)
	if err == nil { // the peer was faster, and knows no more of its end than any
		m.concluded = false
	} else {
		require.ErrorIs(t, err, ErrNoAnswer)
	}
	m.Close()
}

func saltOfPlace(t *testing.T, place string) []byte {
	salt, err := saltOf(place)
	require.NoError(t, err, place)
	return salt
}

func namesOfSockets(t *testing.T) string {
	names, err := os.ReadFile("/proc/net/unix")
	require.NoError(t, err)
	return string(names)
}

func beHere() error {
	identity, err := Here()
	if err == nil {
		fmt.Println(identity)
	}
	return err
}

func TestIdentitiesOfNamespaces(t *testing.T) {
	ours, err := Here()
	require.NoError(t, err)
	require.NotContains(t, ours, " ")
	require.Less(t, len(ours), 120)
	for flags, difference := range map[uintptr]string{
		0:                  "",
		unix.CLONE_NEWNET:  "another network namespace",
		unix.CLONE_NEWPID:  "another PID namespace",
		unix.CLONE_NEWUSER: "another user namespace",
		unix.CLONE_NEWIPC | unix.CLONE_NEWNS | unix.CLONE_NEWUTS: "",
	} {
		t.Run(fmt.Sprintf("%#x", flags), func(t *testing.T) {
			theirs, _ := start(t, "here", "", flags)
			require.Equal(t, difference, Difference(ours, theirs), "%s and %s", ours, theirs)
		})
	}
}

func beInvisible() error {
	conn, err := net.DialUnix(network, nil, &net.UnixAddr{Name: os.Getenv(nameKey), Net: network})
	if err != nil {
		return err
	}
	cfg := config(1)
	_, err = initiate(conn, &cfg, 0, os.Getenv(nameKey))
	return err
}

func TestAPeerOutsideOfThePIDNamespace(t *testing.T) {
	keepsNothing(t)
	l := listener(t, config(0))
	said, _ := start(t, "dial invisible", l.name, unix.CLONE_NEWPID)
	require.Equal(t, ErrInvisible.Error(), said)
}

// beStranger is another user's process that knows all that a rank knows.
func beStranger() error {
	if err := syscall.Setuid(65534); err != nil {
		return err
	}
	cfg := config(1)
	place, name, _ := strings.Cut(os.Getenv(nameKey), " ")
	_, ordinary := Dial(context.Background(), cfg, 0, place)
	conn, err := net.DialUnix(network, nil, &net.UnixAddr{Name: name, Net: network})
	if err != nil {
		return err
	}
	_, stubborn := initiate(conn, &cfg, 0, name)
	err = cfg.challenge(conn, 0, name)
	return fmt.Errorf("%v; %v; %t", ordinary, stubborn, err != nil)
}

// beSquatter is another user's process that listens where a rank has listened.
func beSquatter() error {
	if err := syscall.Setuid(65534); err != nil {
		return err
	}
	l, err := net.ListenUnix(network, &net.UnixAddr{Name: os.Getenv(nameKey), Net: network})
	if err != nil {
		return err
	}
	defer l.Close()
	fmt.Println("listening")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func TestAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: to become another user")
	}
	keepsNothing(t)
	l := listener(t, config(0))
	said, _ := start(t, "stranger", l.Place()+" "+l.name, 0)
	require.Equal(t, ErrElsewhere.Error()+": another user; "+ErrUser.Error()+": 0, and this one's is 65534; true", said)
	dial(t, l, 1).Close()

	require.NoError(t, l.Close())
	said, _ = start(t, "squatter", l.name, 0)
	require.Equal(t, "listening", said)
	_, err := Dial(t.Context(), config(1), 0, l.Place())
	require.ErrorIs(t, err, ErrUser)
}
