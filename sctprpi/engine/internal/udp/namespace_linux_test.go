package udp

import (
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// inNamespace runs a test in a network of its own, whose only device, the loopback
// one, has the given MTU. Sockets are of that network if the test's goroutine makes
// them.
func inNamespace(t *testing.T, mtu int, test func(t *testing.T)) {
	runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Skipf("needs root: making a network namespace: %v", err)
	}
	labtest.SetLoopback(t, mtu)
	test(t)
}

// eachFamilyInNamespace runs a test with the system's implementation, over IPv4 and
// IPv6, and without offload.
func eachFamilyInNamespace(t *testing.T, mtu int, test func(t *testing.T, v variant, local netip.Addr)) {
	for _, v := range []variant{{name: "offload", open: open, config: Config{ECN: true}}, {name: "no offload", open: open, config: Config{NoOffload: true}}} {
		for name, local := range map[string]netip.Addr{"IPv4": loopback4, "IPv6": loopback6} {
			t.Run(v.name+"/"+name, func(t *testing.T) {
				if local.Is6() {
					needIPv6(t)
				}
				inNamespace(t, mtu, func(t *testing.T) { test(t, v, local) })
			})
		}
	}
}

// What is larger than the device's MTU is not fragmented but told to OnTooBig, with
// the MTU, whether or not it would have gone in a GSO batch.
func TestLargerThanTheDevicesMTU(t *testing.T) {
	eachFamilyInNamespace(t, 1500, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		var reports []report
		a.OnTooBig(func(to netip.AddrPort, mtu int) { reports = append(reports, report{to: to, mtu: mtu}) })
		assert.Equal(t, 1500, a.RouteMTU(local))
		fits := 1500 - ipSize(local, 0)
		var batch packet.Batch
		var want [][]byte
		for i := range 30 {
			size := fits
			if i/10 == 1 {
				size = fits + 1
			} else {
				want = append(want, payload(i, size))
			}
			add(&batch, packet.Packet{To: at(b)}, payload(i, size))
		}
		require.NoError(t, a.Send(&batch))
		requireBytes(t, want, collect(t, b, len(want), 8))
		requireNone(t, b)
		assert.Equal(t, []report{{to: at(b), mtu: 1500}}, reports, "told once")
		assert.EqualValues(t, 10, a.Stats().TooBig)
		assert.Zero(t, a.Stats().Refused)
	})
}

// What the kernel leaves in the error queue ends one wait, and not all that follow.
func TestErrorQueueEndsOneWait(t *testing.T) {
	eachFamilyInNamespace(t, 1500, func(t *testing.T, v variant, local netip.Addr) {
		a := v.listen(t, local)
		err := unix.Sendto(a.socket.(*native).fd, make([]byte, 2000), 0, sockaddr(at(a)))
		require.ErrorIs(t, err, unix.EMSGSIZE)
		require.True(t, await(a, patience))
		requireNone(t, a)
		assert.False(t, await(a, 5*time.Millisecond), "returned early")
	})
}

// A packet that may be fragmented is, and no other.
func TestFragment(t *testing.T) {
	eachFamilyInNamespace(t, 1500, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		var batch packet.Batch
		for i, size := range []int{1000, 5000, 5000, 5000, 65_000, 1000} {
			add(&batch, packet.Packet{To: at(b), Fragment: i != 0 && i != 2}, payload(i, size))
		}
		require.NoError(t, a.Send(&batch))
		want := [][]byte{payload(0, 1000), payload(1, 5000), payload(3, 5000), payload(4, 65_000), payload(5, 1000)}
		requireBytes(t, want, collect(t, b, len(want), 8))
		requireNone(t, b)
		assert.EqualValues(t, 1, a.Stats().TooBig)
	})
}

// A socket of both families fragments in both.
func TestFragmentOfBothFamilies(t *testing.T) {
	needIPv6(t)
	inNamespace(t, 1500, func(t *testing.T) {
		v := variants[0]
		a, b := v.listen(t, loopback4, loopback6), v.listen(t, loopback6, loopback4)
		for _, local := range []netip.Addr{loopback4, loopback6} {
			var batch packet.Batch
			to := netip.AddrPortFrom(local, b.Port())
			add(&batch, packet.Packet{To: to, Fragment: true}, payload(0, 5000))
			add(&batch, packet.Packet{To: to}, payload(0, 5000))
			require.NoError(t, a.Send(&batch))
			requireBytes(t, [][]byte{payload(0, 5000)}, collect(t, b, 1, 1))
			requireNone(t, b)
		}
		assert.EqualValues(t, 2, a.Stats().TooBig)
	})
}
