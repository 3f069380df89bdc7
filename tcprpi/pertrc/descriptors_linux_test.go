package pertrc

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// withLimit runs a test in a process of its own that may have so many open
// files.
func withLimit(t *testing.T, files uint64, test func(t *testing.T)) {
	const child = "SCTPMPI_TEST_CHILD"
	if os.Getenv(child) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=2m")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	require.NoError(t, syscall.Setrlimit(unix.RLIMIT_NOFILE, &syscall.Rlimit{Cur: files, Max: files}))
	test(t)
}

// More TRCs than descriptors: idle connections make room for others.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	withLimit(t, 100, func(t *testing.T) {
		ranks := openJob(t, 2, nil)
		const tags, rounds = 200, 3
		for range rounds {
			for tag := range tags {
				r := start(ranks[1], request(rpi.OpRecv, 0, tag, make([]byte, 3)))
				do(t, ranks[0], request(rpi.OpSend, 1, tag, text(tag)))
				<-r.Done()
				require.NoError(t, r.Err)
				require.Equal(t, text(tag), r.Buf)
			}
		}
		for _, tr := range ranks {
			counters := tr.Counters()
			require.Less(t, counters.Open, uint64(100))
			require.Greater(t, counters.Opened, uint64(100))
			require.LessOrEqual(t, counters.Opened, uint64(tags*rounds+2))
		}
	})
}

// Messages keep their order when their TRCs' connections come and go.
func TestOrderSurvivesTheChangeOfConnections(t *testing.T) {
	withLimit(t, 100, func(t *testing.T) {
		ranks := openJob(t, 2, nil)
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		rng := rand.New(rand.NewPCG(seed, 0))
		const count, window = 1500, 8 // fewer than there are sockets
		received := 0
		receive := func() {
			r := do(t, ranks[1], request(rpi.OpRecv, 0, int(matching.AnyTag), make([]byte, 3)))
			require.Equal(t, text(received), r.Buf)
			received++
		}
		for i := range count {
			start(ranks[0], request(rpi.OpSend, 1, rng.IntN(60), text(i)))
			if i >= window {
				receive()
			}
		}
		for received < count {
			receive()
		}
		require.Greater(t, ranks[0].Counters().Opened, uint64(100))
	})
}

// The worst case: messages that no receive takes use all sockets. Sends that need another socket
// fail with an error that says so. Nothing else is affected, and when there is room again all goes
// on.
func TestNoDescriptorIsAnError(t *testing.T) {
	withLimit(t, 100, func(t *testing.T) {
		ranks := openJob(t, 2, func(cfg *rpi.Config) { cfg.ConnectTimeout = 2 * time.Second })
		const tags = 80
		var sends [tags]*rpi.Request
		for tag := range sends {
			sends[tag] = start(ranks[0], request(rpi.OpSend, 1, tag, text(tag)))
		}
		failed := 0
		for _, s := range sends {
			<-s.Done()
			if s.Err != nil {
				failed++
				require.ErrorIs(t, s.Err, rpi.ErrBuffer)
				require.ErrorContains(t, s.Err, "ulimit -n")
				require.NotErrorIs(t, s.Err, rpi.ErrProcFailed)
			}
		}
		require.Greater(t, failed, 20)
		require.Less(t, failed, tags)
		for tag, s := range sends { // in the order sent, without those that failed
			if s.Err == nil {
				r := do(t, ranks[1], request(rpi.OpRecv, 0, int(matching.AnyTag), make([]byte, 3)))
				require.Equal(t, text(tag), r.Buf)
			}
		}
		for tag := range tags {
			r := start(ranks[1], request(rpi.OpRecv, 0, int(matching.AnyTag), make([]byte, 3)))
			send := func() error {
				s := start(ranks[0], request(rpi.OpSend, 1, tag, text(tag)))
				<-s.Done()
				return s.Err
			}
			err := send()
			for errors.Is(err, rpi.ErrBuffer) { // on a busy machine the time for a connection may not suffice
				err = send()
			}
			require.NoError(t, err)
			<-r.Done()
			require.NoError(t, r.Err)
			require.Equal(t, text(tag), r.Buf)
		}
	})
}

// The rest of the program may have the descriptors: the transport makes do with
// what the kernel gives it.
func TestOthersTakeTheDescriptors(t *testing.T) {
	withLimit(t, 100, func(t *testing.T) {
		ranks := openJob(t, 2, nil)
		exchange := func(tag int) {
			r := start(ranks[1], request(rpi.OpRecv, 0, tag, make([]byte, 3)))
			do(t, ranks[0], request(rpi.OpSend, 1, tag, text(tag)))
			<-r.Done()
			require.NoError(t, r.Err)
		}
		exchange(0)
		var taken []*os.File
		for {
			f, err := os.Open(os.DevNull)
			if err != nil {
				require.ErrorIs(t, err, syscall.EMFILE)
				break
			}
			taken = append(taken, f)
		}
		for _, f := range taken[:12] {
			f.Close()
		}
		for tag := range 100 {
			exchange(tag)
		}
	})
}
