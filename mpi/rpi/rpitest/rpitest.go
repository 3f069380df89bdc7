// Package rpitest is the contract of package rpi in executable form: every
// transport must pass Run. It is for the tests of transports, not for programs.
package rpitest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// patience is how long a test waits for an event. It bounds a failing run and never decides a
// passing one.
const patience = 5 * time.Minute

// Run checks that the transports which open makes keep the contract.
func Run(t *testing.T, open rpi.Open) { RunUnread(t, open, math.MaxInt) }

// RunUnread is Run for transports over which a peer may leave messages of so many TRCs unread in a process, at least 15.
func RunUnread(t *testing.T, open rpi.Open, trcs int) { run(t, open, trcs, true) }

// RunVariant is Run for a transport with other settings than those with which it passes Run. Unless tests are long it leaves
// out the groups whose outcome depends little on settings, and of which some take long.
func RunVariant(t *testing.T, open rpi.Open) { RunVariantUnread(t, open, math.MaxInt) }

// RunVariantUnread is to RunVariant what RunUnread is to Run.
func RunVariantUnread(t *testing.T, open rpi.Open, trcs int) { run(t, open, trcs, Long()) }

// run runs all groups, or those that depend on settings.
func run(t *testing.T, open rpi.Open, trcs int, all bool) {
	for _, g := range groups {
		if all || g.varies {
			t.Run(g.name, func(t *testing.T) { g.tests(t, open, trcs) })
		}
	}
}

// Long reports whether tests may take hours rather than minutes: make test-long.
func Long() bool { return os.Getenv("SCTPMPI_TEST_LONG") != "" }

// group is a part of the contract.
type group struct {
	name   string
	varies bool // see RunVariant
	tests  func(t *testing.T, open rpi.Open, trcs int)
}

var groups = []group{
	{"Transfer", true, testTransfer},
	{"Order", true, anyTRCs(testOrder)},
	{"Short", true, anyTRCs(testShort)},
	{"Bursts", true, anyTRCs(testBursts)},
	{"Modes", false, anyTRCs(testModes)},
	{"Probe", true, anyTRCs(testProbe)},
	{"Cancel", true, anyTRCs(testCancel)},
	{"Errors", false, anyTRCs(testErrors)},
	{"Discard", false, anyTRCs(testDiscard)},
	{"Collectives", true, testCollectives},
	{"StopReceiving", true, anyTRCs(testStopReceiving)},
	{"Bounds", false, testBounds},
	{"Concurrency", false, anyTRCs(testConcurrency)},
	{"Connections", false, anyTRCs(testConnections)},
	{"Failure", true, anyTRCs(testFailure)},
	{"Suspected", false, anyTRCs(testSuspected)},
	{"Pending", false, anyTRCs(testPending)},
	{"Close", true, anyTRCs(testClose)},
}

// anyTRCs is for tests that leave few TRCs unread.
func anyTRCs(tests func(*testing.T, rpi.Open)) func(*testing.T, rpi.Open, int) {
	return func(t *testing.T, open rpi.Open, _ int) { tests(t, open) }
}

// job is the processes of one job, all in the process of the test.
type job struct {
	t     *testing.T
	ranks []rpi.Transport
}

// start is OpenJob for processes that are patient.
func start(t *testing.T, open rpi.Open, n int, vary func(rank int, cfg *rpi.Config)) *job {
	return &job{t, OpenJob(t, n, open, func(rank int, cfg *rpi.Config) {
		cfg.ConnectTimeout = 10 * patience
		if vary != nil {
			vary(rank, cfg)
		}
	})}
}

// long is the length of a message, in bytes, that no transport takes entirely before a receive has
// asked for it: it is longer than all buffers on the way.
const long = 16 << 20

// Requests of the tests are for one byte elements in context 0 unless they
// say otherwise.

func send(dest, tag int, body []byte) *rpi.Request { return Request(rpi.OpSend, dest, tag, body) }

func recv(source, tag int, buf []byte) *rpi.Request { return Request(rpi.OpRecv, source, tag, buf) }

func probe(op rpi.Op, source, tag int) *rpi.Request {
	return &rpi.Request{Op: op, Peer: matching.Rank(source), Tag: matching.Tag(tag)}
}

const (
	anySource = int(matching.AnySource)
	anyTag    = int(matching.AnyTag)
)

// start starts requests at a rank and returns the first.
func (j *job) start(rank int, rs ...*rpi.Request) *rpi.Request {
	for _, r := range rs {
		j.ranks[rank].Start(r)
	}
	return rs[0]
}

// wait waits until requests of a rank have completed.
func (j *job) wait(rank int, rs ...*rpi.Request) {
	j.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w := rpi.NewWaiter()
	defer w.Release()
	for i, r := range rs {
		if !r.Subscribe(w) {
			continue
		}
		for !r.Completed() {
			if err := j.ranks[rank].Await(ctx, w); err != nil {
				require.FailNow(j.t, "request did not complete", "rank %d, request %d: %v with %d, tag %d, %d bytes: %v",
					rank, i, r.Op, r.Peer, r.Tag, len(r.Buf), err)
			}
		}
	}
}

// do starts requests at a rank, waits for them, and requires success.
func (j *job) do(rank int, rs ...*rpi.Request) {
	j.t.Helper()
	j.start(rank, rs...)
	j.wait(rank, rs...)
	for _, r := range rs {
		require.NoError(j.t, r.Err, "%v with %d, tag %d", r.Op, r.Peer, r.Tag)
	}
}

// period is after how many bytes a message repeats itself.
const period = 12 * 256

// message is the body of message number i: n bytes that tell both. The race detector looks at each
// byte that is computed, and at a copy only once.
func message(i, n int) []byte {
	b := make([]byte, n)
	var seed [12]byte
	binary.BigEndian.PutUint64(seed[:], uint64(i))
	binary.BigEndian.PutUint32(seed[8:], uint32(n))
	for k := range min(n, period) {
		b[k] = seed[k%12] + byte(k/12*31)
	}
	for made := period; made < n; made *= 2 {
		copy(b[made:], b[:made])
	}
	return b
}

// number is the number of a message of at least 8 bytes.
func number(b []byte) int { return int(binary.BigEndian.Uint64(b)) }

// requireMessage checks that r received message number i of n bytes.
func requireMessage(t *testing.T, r *rpi.Request, i, n int) {
	t.Helper()
	require.NoError(t, r.Err)
	require.EqualValues(t, n, r.Status.Length)
	if !bytes.Equal(message(i, n), r.Buf[:n]) {
		require.FailNow(t, "message is damaged", "message %d of %d bytes", i, n)
	}
}

// sizes are message lengths around the limits of the protocols.
var sizes = []int{0, 1, 7, 100, 4096, 4097, 65535, 65536, 65537, 300 << 10, 3<<20 + 1}

func sizeName(n int) string { return fmt.Sprintf("%d", n) }
