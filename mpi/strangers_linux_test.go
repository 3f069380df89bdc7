package mpi_test

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
)

// Strangers on the same host, which send packets of all kinds to the ranks' sockets and connect with them, change nothing.
func TestRandomProgramsAmongStrangers(t *testing.T) {
	here := slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.enter != nil || c.impaired })
	eachSeed(t, here, 1, 1, func(t *testing.T, transport, mode string, seed uint64, p mpitest.Program) {
		s := strangers{random: rand.New(rand.NewPCG(seed, 0)), stop: make(chan struct{})}
		var attack sync.WaitGroup
		attack.Go(func() { s.attack(t) })
		runHere(t, transport, mode, p)
		close(s.stop)
		attack.Wait()
	})
}

// strangers attack the sockets of this process.
type strangers struct {
	random *rand.Rand
	stop   chan struct{}
	udp    *net.UDPConn
	silent []net.Conn
}

const (
	// strangerRounds bounds how often a program is attacked, once a millisecond.
	strangerRounds = 2_000
	// silentStrangers is how many connections they hold open.
	silentStrangers = 16
)

// attack goes on until stop is closed.
func (s *strangers) attack(t *testing.T) {
	var err error
	s.udp, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if !assert.NoError(t, err) {
		return
	}
	defer s.udp.Close()
	defer func() {
		for _, c := range s.silent {
			c.Close()
		}
	}()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range strangerRounds {
		for _, at := range targets(t) {
			if at.stream {
				s.connect(at.AddrPort)
			} else if at.Port() != s.udp.LocalAddr().(*net.UDPAddr).AddrPort().Port() {
				s.packets(at.AddrPort)
			}
		}
		select {
		case <-s.stop:
			return
		case <-tick.C:
		}
	}
}

// packets sends one packet of each kind. Whether there is room for it does not matter.
func (s *strangers) packets(to netip.AddrPort) {
	rubbish := make([]byte, s.random.IntN(200))
	for i := range rubbish {
		rubbish[i] = byte(s.random.Uint32())
	}
	from := enginetest.Stranger{From: uint16(s.random.Uint32()), To: to.Port(), Tag: s.random.Uint32() | 1}
	for _, b := range [][]byte{
		rubbish, from.Init(s.random.Uint32() | 1), from.Heartbeat(), from.CookieEcho(make([]byte, 128)), from.CookieAck(),
		from.Data(1, []byte("mine")), from.Shutdown(), from.Abort(),
	} {
		_, _ = s.udp.WriteToUDPAddrPort(b, to)
	}
}

// connect makes a connection, on which it says nothing, or something that no rank says.
func (s *strangers) connect(to netip.AddrPort) {
	c, err := net.DialTimeout("tcp", to.String(), time.Second)
	if err != nil {
		return // the rank has ended, or it has no room
	}
	if s.random.IntN(2) == 0 {
		_, _ = c.Write([]byte("GET / HTTP/1.0\r\n\r\n"))
	}
	if s.silent = append(s.silent, c); len(s.silent) > silentStrangers {
		s.silent[0].Close()
		s.silent = s.silent[1:]
	}
}

// target is the address of a socket. stream: it takes connections.
type target struct {
	netip.AddrPort
	stream bool
}

// targets are the UDP sockets of this process, and the TCP sockets that listen.
func targets(t *testing.T) (found []target) {
	open, err := os.ReadDir("/proc/self/fd")
	assert.NoError(t, err)
	for _, entry := range open {
		fd, err := strconv.Atoi(entry.Name())
		assert.NoError(t, err)
		name, err := unix.Getsockname(fd)
		if err != nil {
			continue // no socket, or closed meanwhile
		}
		kind, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
		listens, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN)
		if a, ok := name.(*unix.SockaddrInet4); ok && (kind == unix.SOCK_DGRAM || listens == 1) {
			found = append(found, target{netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port)), listens == 1})
		}
	}
	return found
}
