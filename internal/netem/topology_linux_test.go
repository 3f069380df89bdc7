package netem_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

func open(t *testing.T, topology *netem.Topology, err error) *netem.Topology {
	t.Helper()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, topology.Close()) })
	return topology
}

// socket opens a UDP socket on a host.
func socket(t *testing.T, h *netem.Host, addr netip.Addr) *net.UDPConn {
	t.Helper()
	var conn *net.UDPConn
	require.NoError(t, h.Do(func() (err error) {
		conn, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, 5000)))
		return err
	}))
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestHostsOfAStarReachEachOther(t *testing.T) {
	labtest.InLab(t)
	topology, err := netem.Star(4)
	open(t, topology, err)
	for _, addr := range []func(*netem.Host) netip.Addr{
		func(h *netem.Host) netip.Addr { return h.Addr(0) }, func(h *netem.Host) netip.Addr { return h.Addr6(0) },
	} {
		for i := range topology.Hosts() {
			from := topology.Host(i)
			to := topology.Host((i + 1) % topology.Hosts())
			a, b := socket(t, from, addr(from)), socket(t, to, addr(to))
			exchange(t, a, b)
			a.Close()
			b.Close()
		}
	}
}

// exchange sends a packet each way and returns the round trip.
func exchange(t *testing.T, a, b *net.UDPConn) time.Duration {
	t.Helper()
	start := time.Now()
	for _, way := range [][2]*net.UDPConn{{a, b}, {b, a}} {
		reach(t, way[0], way[1])
	}
	return time.Since(start)
}

var reached int // packets of reach

// reach sends a packet from one socket to another and waits for it. A device that has just been set up may drop one or
// another, so it is sent again from time to time.
func reach(t *testing.T, from, to *net.UDPConn) {
	t.Helper()
	reached++
	packet, buf := fmt.Appendf(nil, "packet %d", reached), make([]byte, 100)
	defer to.SetReadDeadline(time.Time{})
	for range 60 {
		_, err := from.WriteTo(packet, to.LocalAddr())
		require.NoError(t, err)
		require.NoError(t, to.SetReadDeadline(time.Now().Add(time.Second)))
		for err == nil {
			var n int
			if n, err = to.Read(buf); err == nil && string(buf[:n]) == string(packet) {
				return
			}
		}
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	}
	t.Fatalf("no packet comes from %v to %v", from.LocalAddr(), to.LocalAddr())
}

func TestDelayIsMetOnceEachWay(t *testing.T) {
	labtest.InLab(t)
	topology, err := netem.Star(2)
	open(t, topology, err)
	const delay = 30 * time.Millisecond
	require.NoError(t, topology.Apply(netem.Conditions{Delay: delay}))
	a, b := topology.Host(0), topology.Host(1)
	x, y := socket(t, a, a.Addr(0)), socket(t, b, b.Addr(0))
	least := time.Hour
	for range 20 {
		least = min(least, exchange(t, x, y))
	}
	t.Logf("least round trip with %v each way: %v", delay, least)
	assert.GreaterOrEqual(t, least, 2*delay)
	require.NoError(t, topology.Apply(netem.Conditions{}))
	for range 20 {
		least = min(least, exchange(t, x, y))
	}
	t.Logf("without: %v", least)
	assert.Less(t, least, 2*delay, "conditions that were taken away last on")
}

// lost sends numbered packets from one host to another and returns how many have not arrived. One more, sent without loss,
// ends the count.
func lost(t *testing.T, topology *netem.Topology, c netem.Conditions, packets int) int {
	t.Helper()
	a, b := topology.Host(0), topology.Host(1)
	from, to := socket(t, a, a.Addr(0)), socket(t, b, b.Addr(0))
	require.NoError(t, to.SetReadBuffer(8<<20))
	require.NoError(t, a.Link(0).Apply(netem.Conditions{}))
	require.NoError(t, b.Link(0).Apply(c))
	for i := range packets {
		_, err := from.WriteTo(binary.BigEndian.AppendUint32(nil, uint32(i)), to.LocalAddr())
		require.NoError(t, err)
		if i%500 == 499 { // the processor's queue has room for 1000
			passed(t, from, to)
		}
	}
	passed(t, from, to)
	require.NoError(t, b.Link(0).Apply(netem.Conditions{}))
	_, err := from.WriteTo(binary.BigEndian.AppendUint32(nil, uint32(packets)), to.LocalAddr())
	require.NoError(t, err)
	require.NoError(t, to.SetReadDeadline(time.Now().Add(time.Minute)))
	buf := make([]byte, 100)
	for arrived := 0; ; arrived++ {
		_, err := to.Read(buf)
		require.NoError(t, err)
		if binary.BigEndian.Uint32(buf) == uint32(packets) {
			return packets - arrived
		}
	}
}

// passed waits until what was sent one way has come through the switch, by a packet the other way, on which nothing befalls
// packets: a processor takes them in turn, but the sender need not wait for that.
func passed(t *testing.T, from, to *net.UDPConn) {
	t.Helper()
	reach(t, to, from)
}

func TestLossIsTheShareThatWasAskedFor(t *testing.T) {
	labtest.InLab(t)
	const packets = 10_000
	for text, want := range map[string]float64{
		"loss 10%":  10,
		"loss 100%": 100,
		// Bad for a third of the time, and three quarters are lost then.
		"loss gemodel 10% 20% 75%": 25,
	} {
		c, err := netem.Parse(text)
		require.NoError(t, err)
		topology, err := netem.Star(2)
		open(t, topology, err)
		got := 100 * float64(lost(t, topology, c, packets)) / packets
		t.Logf("%s: %.2f%% of %d packets", text, got, packets)
		assert.InDelta(t, want, got, 5, text) // some five standard deviations of the bursts
	}
}

// TestConditionsBefallEachSegment sends segments by 10 in a system call, which the kernel keeps together as long as it can.
func TestConditionsBefallEachSegment(t *testing.T) {
	labtest.InLab(t)
	topology, err := netem.Star(2)
	open(t, topology, err)
	a, b := topology.Host(0), topology.Host(1)
	from, to := socket(t, a, a.Addr(0)), socket(t, b, b.Addr(0))
	require.NoError(t, to.SetReadBuffer(8<<20))
	raw, err := from.SyscallConn()
	require.NoError(t, err)
	segment := func(size int) {
		require.NoError(t, raw.Control(func(fd uintptr) {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_UDP, unix.UDP_SEGMENT, size)
		}))
		require.NoError(t, err)
	}
	const calls, segments, size = 50, 10, 1000
	segment(size)
	require.NoError(t, b.Link(0).Apply(netem.Conditions{Loss: 50}))
	for i := range calls {
		_, err := from.WriteTo(bytes.Repeat([]byte{byte(i)}, segments*size), to.LocalAddr())
		require.NoError(t, err)
	}
	passed(t, from, to)
	require.NoError(t, b.Link(0).Apply(netem.Conditions{}))
	segment(0)
	_, err = from.WriteTo([]byte{calls}, to.LocalAddr())
	require.NoError(t, err)

	var arrived [calls + 1]int
	for buf := make([]byte, 2*size); arrived[calls] == 0; {
		_, err := to.Read(buf)
		require.NoError(t, err)
		arrived[buf[0]]++
	}
	split := 0
	for _, n := range arrived[:calls] {
		if n > 0 && n < segments {
			split++
		}
	}
	t.Logf("%d of %d calls lost some of their segments and kept others", split, calls)
	assert.Greater(t, split, calls/2)
}

// TestTheKernelKeepsAllConditions compares with what tc, another reader, says of a device.
func TestTheKernelKeepsAllConditions(t *testing.T) {
	labtest.InLab(t)
	topology, err := netem.Star(2)
	open(t, topology, err)
	for text, want := range map[string]string{
		"delay 15ms 2ms reorder 25%":                  "limit 1000 delay 15ms  2ms reorder 25% gap 1",
		"loss 1% duplicate 2% corrupt 3% rate 10mbit": "limit 1000 loss 1% duplicate 2% corrupt 3% rate 10Mbit",
		"loss gemodel 1% 10% 70% 0.5% limit 77":       "limit 77 loss gemodel p 1% r 10% 1-h 70% 1-k 0.5%",
		"rate 100gbit":                                "limit 1000 rate 100Gbit",
	} {
		c, err := netem.Parse(text)
		require.NoError(t, err)
		h := topology.Host(0)
		require.NoError(t, h.Do(func() error { return c.Apply("eth0") }))
		out, err := h.Command(t.Context(), "tc", "qdisc", "show", "dev", "eth0").CombinedOutput()
		require.NoError(t, err, "%s", out)
		_, got, found := strings.Cut(string(out), " refcnt 2 ")
		require.True(t, found, "%s", out)
		assert.Equal(t, want, strings.TrimSpace(got), text)
	}
}

func TestOneOfTwoLinksFailsAlone(t *testing.T) {
	labtest.InLab(t)
	topology, err := netem.Dual()
	open(t, topology, err)
	a, b := topology.Host(0), topology.Host(1)
	require.NoError(t, a.Link(0).Apply(netem.Conditions{Loss: 100}))
	require.NoError(t, b.Link(0).Apply(netem.Conditions{Loss: 100}))
	exchange(t, socket(t, a, a.Addr(1)), socket(t, b, b.Addr(1)))
	assert.Equal(t, 100, lost(t, topology, netem.Conditions{Loss: 100}, 100))
}

func TestCommandRunsInItsHost(t *testing.T) {
	labtest.InLab(t)
	topology, err := netem.Star(2)
	open(t, topology, err)
	h := topology.Host(1)
	out, err := h.Command(t.Context(), "ip", "-o", "-4", "addr", "show", "eth0").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), h.Addr(0).String())
	var exit *exec.ExitError
	require.ErrorAs(t, h.Command(t.Context(), "sh", "-c", "exit 7").Run(), &exit)
	assert.Equal(t, 7, exit.ExitCode())
}

func TestNothingIsLeftOfAClosedTopology(t *testing.T) {
	labtest.InLab(t)
	before := ownLinks(t)
	topology, err := netem.Dual()
	require.NoError(t, err)
	assert.Equal(t, before, ownLinks(t), "devices in the program's own namespace")
	h := topology.Host(0)
	c := h.Command(t.Context(), "sh", "-c", "echo up; read _; ip -o link | wc -l")
	stdin, err := c.StdinPipe()
	require.NoError(t, err)
	stdout, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	buf := make([]byte, 3)
	_, err = stdout.Read(buf)
	require.NoError(t, err)
	require.NoError(t, topology.Close())
	_, err = stdin.Write([]byte("\n"))
	require.NoError(t, err)
	var out bytes.Buffer
	_, err = out.ReadFrom(stdout)
	require.NoError(t, err)
	require.NoError(t, c.Wait())
	assert.Equal(t, "1\n", out.String(), "a process that is left has loopback alone")
}

func ownLinks(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("ip", "-o", "link").Output()
	require.NoError(t, err)
	return string(out)
}

func TestBadInputIsRefused(t *testing.T) {
	for _, n := range []int{-1, 0, 1, netem.MaxHosts + 1} {
		_, err := netem.Star(n)
		assert.ErrorContains(t, err, fmt.Sprint(n, " hosts: there must be from 2 to 64"))
	}
	assert.ErrorContains(t, netem.Conditions{}.Apply("no-such-device"), "device no-such-device")
	assert.ErrorContains(t, netem.Conditions{Loss: 101}.Apply("lo"), "from 0% to 100%")
}

func TestNothingIsLeftOfAKilledProgram(t *testing.T) {
	labtest.InLab(t)
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), victimVariable+"=1")
	stdout, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	buf := make([]byte, 3)
	_, err = stdout.Read(buf)
	require.NoError(t, err)
	require.NoError(t, c.Process.Kill())
	c.Wait()
	mounts, err := os.ReadFile("/proc/mounts")
	require.NoError(t, err)
	assert.NotContains(t, string(mounts), "nsfs", "a namespace is kept by a mount")
	assert.NotContains(t, ownLinks(t), "port0")
}

// victimVariable makes the test binary a program with a topology that runs until it is killed.
const victimVariable = "SCTPMPI_NETEM_TEST_VICTIM"

func init() {
	if os.Getenv(victimVariable) == "" {
		return
	}
	if _, err := netem.Dual(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("up")
	syscall.Pause()
}
