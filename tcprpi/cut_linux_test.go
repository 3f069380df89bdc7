package tcprpi_test

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// direction is that of bytes on a connection.
type direction int

const (
	toAcceptor direction = iota
	toDialer
)

func (d direction) String() string {
	if d == toAcceptor {
		return "to the acceptor"
	}
	return "to the dialer"
}

// Where the acceptor is, and where the dialer is told to find it.
var inside, outside = netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")

// cutter passes on connections to a process, and cuts one of them.
type cutter struct {
	inside netip.AddrPort // where the process listens
	// number is that of the connection, in the order in which they come, from 0 on. Both ends lose it when so many bytes have
	// passed in one direction, unless it is uncut: then it is in use after so many turns.
	number int
	in     direction
	after  int
	uncut  int
	done   chan struct{} // closed when it is cut, or if it is not to be, when it is in use

	mu     sync.Mutex
	passed [2]int
	// turns is what one end has said on it before the other one spoke, in bytes, beginning with the dialer.
	turns []int
	last  direction
}

// serve passes on the connections that come to a listener.
func (c *cutter) serve(l net.Listener) {
	for number := 0; ; number++ {
		dialer, err := l.Accept()
		if err != nil {
			return
		}
		acceptor, err := net.Dial("tcp", c.inside.String())
		if err != nil {
			dialer.Close()
			continue
		}
		pass := func(d direction, to, from net.Conn) {
			if number == c.number {
				c.pass(d, to, from)
			} else {
				_, _ = io.Copy(to, from)
			}
			from.Close()
			to.Close()
		}
		go pass(toAcceptor, acceptor, dialer)
		go pass(toDialer, dialer, acceptor)
	}
}

// pass passes on one direction of the connection until it ends, or is to be cut.
func (c *cutter) pass(d direction, to, from net.Conn) {
	b := make([]byte, 1<<16)
	for {
		n, err := from.Read(b)
		if err != nil || !c.forward(d, to, b[:n]) {
			return
		}
	}
}

// forward passes on what has been read, as far as it may, and reports whether it was all.
func (c *cutter) forward(d direction, to net.Conn, b []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.turns) == 0 || d != c.last {
		c.turns, c.last = append(c.turns, 0), d
	}
	if c.turns[len(c.turns)-1] += len(b); len(c.turns) == c.uncut && c.turns[c.uncut-1] == len(b) {
		defer close(c.done)
	}
	cut := c.uncut == 0 && d == c.in && c.passed[d]+len(b) >= c.after
	if cut {
		b = b[:c.after-c.passed[d]]
		defer close(c.done)
	}
	c.passed[d] += len(b)
	_, err := to.Write(b)
	return err == nil && !cut
}

// said returns the turns.
func (c *cutter) said() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.turns)
}

// heard returns how much the dialer has been passed.
func (c *cutter) heard() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.passed[toDialer]
}

// job has rank 0 connect to rank 1 by way of the cutter, and both send each other some messages. It reports whether the ranks have
// failed for each other. If one has for the other, that must be so at both ends, where another receive waits to hear of it: the messages
// may all have an outcome before, since a short one has left when the kernel has it. Otherwise all has arrived.
func (c *cutter) job(t *testing.T, open rpi.Open, policy seal.Policy) (failed bool) {
	ranks := rpitest.OpenJob(t, 2, open, func(rank int, cfg *rpi.Config) {
		cfg.Encrypt = policy
		if rank == 1 {
			cfg.Publish = netip.AddrPortFrom(outside, 0)
		}
	})
	address, _, _ := strings.Cut(ranks[1].Address(), "#")
	port := netip.MustParseAddrPort(address).Port()
	c.inside, c.done = netip.AddrPortFrom(inside, port), make(chan struct{})
	front, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(outside, port)))
	require.NoError(t, err)
	defer front.Close()
	go c.serve(front)
	const messages = 3
	text := func(from, i int) []byte { return fmt.Appendf(nil, "message %d of rank %d", i, from) }
	var requests [2][]*rpi.Request
	var waiting [2]*rpi.Request
	for rank, tr := range ranks {
		waiting[rank] = rpitest.Start(tr, rpitest.Request(rpi.OpRecv, 1-rank, messages, nil)) // nothing is sent for it
		for i := range messages {
			requests[rank] = append(requests[rank],
				rpitest.Start(tr, rpitest.Request(rpi.OpSend, 1-rank, i, text(rank, i))),
				rpitest.Start(tr, rpitest.Request(rpi.OpRecv, 1-rank, i, make([]byte, len(text(1-rank, i))))))
		}
		if rank == 0 {
			<-c.done // so that it is rank 0 that connects
		}
	}
	for rank := range ranks {
		for i, r := range requests[rank] {
			<-r.Done()
			if r.Err != nil {
				require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
				failed = true
			} else if r.Op == rpi.OpRecv {
				require.Equal(t, string(text(1-rank, i/2)), string(r.Buf))
			}
		}
	}
	for rank := 0; failed && rank < 2; rank++ {
		<-waiting[rank].Done()
		require.ErrorIs(t, waiting[rank].Err, rpi.ErrProcFailed)
	}
	return failed
}

// A connection is cut at each byte around the point from which it counts. Until the dialer has the result it makes another one, and
// nothing is lost. After that the two fail for each other, unless both know in time that nothing was said on it.
func TestCutAroundTheConfirmation(t *testing.T) {
	for _, what := range []struct {
		name   string
		open   rpi.Open
		number int  // of the connection
		says   bool // the dialer says more on it at once
	}{
		{perpair.Name, perpair.Open, 0, true},
		{pertrc.Name + ", control", pertrc.Open, 0, false},
		{pertrc.Name + ", messages", pertrc.Open, 1, true},
	} {
		for _, policy := range []seal.Policy{seal.Off, seal.AlwaysEncrypt} {
			t.Run(fmt.Sprintf("%s/%v", what.name, policy), func(t *testing.T) {
				// A connection of messages has its keys from the control connection.
				resumes := what.number > 0 && policy != seal.Off
				uncut := cutter{number: what.number, uncut: 5}
				if resumes {
					uncut.uncut = 3
				}
				t.Run("uncut", func(t *testing.T) { require.False(t, uncut.job(t, what.open, policy)) })
				turns := uncut.said()
				greeting, answer, hello, result := turns[0], 0, 0, turns[1]
				if !resumes {
					answer, hello, result = turns[1], turns[2], turns[3]
				}
				confirmation := result // it repeats it
				var failed, whole int
				at := func(in direction, positions ...int) {
					for _, after := range positions {
						t.Run(fmt.Sprintf("%d bytes %v", after, in), func(t *testing.T) {
							c := cutter{number: what.number, in: in, after: after}
							if c.job(t, what.open, policy) {
								failed++
								require.GreaterOrEqual(t, c.heard(), answer+result, "the dialer has not known yet")
							} else {
								whole++
							}
						})
					}
				}
				at(toAcceptor, 1, greeting-1, greeting, greeting+1)
				at(toAcceptor, within(greeting+hello, confirmation)...)
				if !resumes {
					at(toDialer, 1, answer-1)
				}
				at(toDialer, within(answer, result)...)
				if what.says {
					at(toAcceptor, greeting+hello+confirmation+1)
				}
				require.NotZero(t, failed)
				require.NotZero(t, whole)
			})
		}
	}
}

// within returns positions from before the first of n bytes until behind the last, in long tests all of them.
func within(start, n int) []int {
	if !rpitest.Long() {
		return slices.Compact([]int{max(0, start-1), start, start + n/2, start + n - 1, start + n})
	}
	var all []int
	for i := max(-1, -start); i <= n; i++ {
		all = append(all, start+i)
	}
	return all
}
