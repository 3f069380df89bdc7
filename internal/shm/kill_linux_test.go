package shm_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

const (
	lentEager = 60 << 10 // a message that is sent before its receive is known, and lent, in bytes
	longest   = 24 << 20 // a message that is read in many pieces

	moreThanFits = 64 // messages of 4 KiB
)

// parts are what the processes of tests do.
var parts = map[string]part{
	"writes": {run: func(at rank) error {
		for number := 0; ; number++ {
			if err := at.wait(at.send(1, fill(make([]byte, size(number)), number))); err != nil {
				return err
			}
		}
	}},
	"fills the ring": {run: func(at rank) error {
		if err := at.wait(at.receive(9, nil)); err != nil {
			return err
		}
		var sends [moreThanFits]*rpi.Request
		for number := range sends {
			sends[number] = at.send(1, fill(make([]byte, 4<<10), number))
		}
		if err := at.wait(sends[0]); err != nil {
			return err
		}
		written := slices.IndexFunc(sends[:], func(r *rpi.Request) bool { return !r.Completed() })
		at.say(strconv.Itoa(written))
		return at.wait(at.receive(9, nil))
	}},
	"sleeps": {config: blockAtOnce, run: func(at rank) error {
		if err := at.wait(at.send(1, nil)); err != nil {
			return err
		}
		return at.wait(at.receive(9, nil))
	}},
	"lends": {run: func(at rank) error {
		at.send(1, fill(make([]byte, lentEager), 1))
		at.send(2, fill(make([]byte, longest), 2))
		at.say("lent")
		return at.wait(at.receive(9, nil))
	}},
	"is read": {run: func(at rank) error {
		at.send(2, fill(make([]byte, longest), 2))
		for {
			if err := at.wait(at.send(1, []byte{1})); err != nil {
				return err
			}
		}
	}},
}

// size is how long a message is: in a line, in several, in so many that it is lent.
func size(number int) int { return [...]int{8, 300, 4 << 10, 20 << 10, 0, 100 << 10}[number%6] }

func blockAtOnce(cfg *rpi.Config) { cfg.Spin = -1 }

func lookWhenCalled(cfg *rpi.Config) { cfg.Progress = rpi.Inline }

// killed are the ways in which a rank is killed: what it does, and what its peer does until it has heard of that.
var killed = map[string]struct {
	config func(cfg *rpi.Config)
	run    func(t *testing.T, round int, p *process, at rank)
}{
	"writes": {run: func(t *testing.T, round int, p *process, at rank) {
		for number := 0; ; number++ {
			if number == 3+7*round {
				go func() { _ = p.Process.Kill() }()
			}
			buf := make([]byte, size(number))
			if !delivered(t, at.wait(at.receive(1, buf)), buf, number) {
				return
			}
		}
	}},
	"fills the ring": {config: lookWhenCalled, run: func(t *testing.T, _ int, p *process, at rank) {
		require.NoError(t, at.wait(at.send(9, nil))) // since then this rank does not look
		written, err := strconv.Atoi(p.hear())
		require.NoError(t, err)
		require.Positive(t, written)
		p.kill()
		for number := 0; ; number++ {
			buf := make([]byte, 4<<10)
			if !delivered(t, at.wait(at.receive(1, buf)), buf, number) {
				require.GreaterOrEqual(t, number, written, "what was written whole is delivered")
				require.Less(t, number, moreThanFits)
				return
			}
		}
	}},
	"sleeps": {config: blockAtOnce, run: func(t *testing.T, _ int, p *process, at rank) {
		require.NoError(t, at.wait(at.receive(1, nil)))
		never := at.receive(2, nil)
		p.asleep()
		p.kill()
		require.ErrorIs(t, at.wait(never), rpi.ErrProcFailed)
	}},
	"lends": {config: lookWhenCalled, run: func(t *testing.T, round int, p *process, at rank) {
		p.hear()
		if round%2 == 0 { // a receive is known, and the body is not read yet
			at.receive(1, make([]byte, lentEager))
		}
		p.kill()
		for tag, length := range map[int]int{1: lentEager, 2: longest} {
			buf := make([]byte, length)
			require.ErrorIs(t, at.wait(at.receive(tag, buf)), rpi.ErrProcFailed)
		}
	}},
	"is read": {run: func(t *testing.T, round int, p *process, at rank) {
		long := at.receive(2, make([]byte, longest))
		for range 1 + round {
			require.NoError(t, at.wait(at.receive(1, make([]byte, 1))))
		}
		p.kill()
		err := at.wait(long)
		t.Logf("the long message: %v", err)
		delivered(t, err, long.Buf, 2)
	}},
}

// delivered reports whether a message has come, which then is whole. If not its sender has failed.
func delivered(t *testing.T, err error, buf []byte, number int) bool {
	t.Helper()
	if err != nil {
		require.ErrorIs(t, err, rpi.ErrProcFailed)
		return false
	}
	require.NoError(t, check(buf, number))
	return true
}

// TestKilledRanks kills ranks at the worst times. The peer learns it, gets no half message, and has nothing left over when
// it has closed its transport.
func TestKilledRanks(t *testing.T) {
	rounds := 1 // of each way, each network, and the lower and the higher rank
	if rpitest.Long() {
		rounds = 10
	}
	for network := range networks {
		for way, k := range killed {
			for self := range 2 {
				t.Run(fmt.Sprintf("%s/%s/rank %d", network, way, self), func(t *testing.T) {
					for round := range rounds {
						killRank(t, network, way, self, round, k.config, k.run)
					}
				})
			}
		}
	}
}

func killRank(t *testing.T, network, way string, self, round int, config func(*rpi.Config), run func(*testing.T, int, *process, rank)) {
	done := keepsNothing(t)
	p := start(t, network, way, self, nil)
	at := p.join(network, config)
	run(t, round, p, at)
	p.kill()
	require.EqualValues(t, 1, at.Transport.(rpi.Metered).Usage().SharedPeers)
	require.ErrorIs(t, at.wait(at.send(3, make([]byte, 8))), rpi.ErrProcFailed, "a message for it has no use")
	require.NoError(t, at.Close(t.Context()))
	p.stdin.Close()
	done()
}

// TestLeavingWithoutEnding has a rank leave its job in a process that lives on: the peer learns that from the ring.
func TestLeavingWithoutEnding(t *testing.T) {
	for network := range networks {
		t.Run(network, func(t *testing.T) {
			p := start(t, network, "leaves", 0, nil)
			at := p.join(network, blockAtOnce)
			long := at.send(7, make([]byte, longest))
			require.NoError(t, at.wait(at.receive(1, nil)))
			p.tell("leave")
			require.ErrorIs(t, at.wait(at.receive(2, nil)), rpi.ErrProcFailed)
			require.ErrorIs(t, at.wait(long), rpi.ErrProcFailed)
			require.EqualValues(t, 1, at.Transport.(rpi.Metered).Usage().SharedPeers)
			require.NoError(t, at.Close(t.Context()))
			p.tell("end")
			require.NoError(t, p.Wait())
		})
	}
}

func init() {
	parts["leaves"] = part{run: func(at rank) error {
		if err := at.wait(at.send(1, nil)); err != nil {
			return err
		}
		if _, err := at.hear(); err != nil {
			return err
		}
		at.Kill()
		_, err := at.hear() // the process lives until the test has seen what it wanted to
		return err
	}}
}

// keepsNothing returns a check that this process has no more descriptors and mappings than now.
func keepsNothing(t *testing.T) (check func()) {
	t.Helper()
	// Some descriptors stay from the first transport on: those of Go's poller, and of what the system tells of its load.
	for _, open := range networks {
		first, err := open(config(0, nil))
		require.NoError(t, err)
		first.Kill()
	}
	before := held(t)
	return func() {
		t.Helper()
		for begun := time.Now(); ; runtime.Gosched() { // a file is closed when the last call on it has returned
			after := held(t)
			if after == before {
				return
			}
			if time.Since(begun) > patience {
				assert.Equal(t, before, after)
				return
			}
		}
	}
}

type holdings struct{ descriptors, mappings int }

func held(t *testing.T) holdings {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	maps, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	for line := range strings.Lines(string(maps)) {
		if fields := strings.Fields(line); strings.HasSuffix(fields[1], "s") { // the test's own file, which is not, may be there too
			require.NotContains(t, line, "/dev/shm", "shared memory has a name")
		}
	}
	return holdings{len(entries), strings.Count(string(maps), "memfd:sctpmpi")}
}
