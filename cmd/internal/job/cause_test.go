package job

import (
	"bytes"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
)

// actor is a rank whose process does what a test says.
type actor struct {
	t      *testing.T
	conn   net.Conn
	client *pmi.Client
	once   sync.Once
	ends   chan process.Outcome
}

// sees has the rank tell the launcher that a peer has failed.
func (a *actor) sees(peer int) {
	require.NoError(a.t, a.client.PeerFailed(a.t.Context(), peer))
	synctest.Wait()
}

// parts closes all connections of the process, which has not ended yet.
func (a *actor) parts() {
	_ = a.conn.Close()
	synctest.Wait()
}

// end lets the process end.
func (a *actor) end(outcome process.Outcome) {
	a.deliver(outcome)
	synctest.Wait()
}

func (a *actor) deliver(outcome process.Outcome) {
	a.once.Do(func() {
		_ = a.conn.Close()
		a.ends <- outcome
	})
}

func (a *actor) Signal(s syscall.Signal) {
	a.deliver(process.Outcome{Signal: int(s), SignalName: s.String()})
}
func (a *actor) Wait() process.Outcome { return <-a.ends }
func (a *actor) Stopped() bool         { return false }

// silence is what such a process writes.
type silence struct{}

func (silence) Read([]byte) (int, error)        { return 0, io.EOF }
func (silence) SetReadDeadline(time.Time) error { return nil }
func (silence) Close() error                    { return nil }

// perform runs a job of so many ranks in virtual time. It returns what the launcher has said and how long the job took.
func perform(t *testing.T, size int, play func(ranks []*actor)) (said string, took time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		j := newJob(Spec{Apps: []App{{N: size, Name: "program", Args: []string{"program"}}}, Grace: time.Second})
		j.stdout, j.stderr = output.NewSink(io.Discard, nil), output.NewSink(&stderr, nil)
		var err error
		j.server, err = pmi.NewServer(pmi.Config{Size: size, OnAbort: j.onAbort, OnFence: j.onFence, OnCut: j.onCut, OnAnswer: j.onAnswer})
		require.NoError(t, err)
		j.ranks, j.unstarted, j.starting = make([]*rank, size), size, true
		begun, ended := time.Now(), make(chan struct{})
		go func() {
			defer close(ended)
			j.supervise(nil)
			took = time.Since(begun)
			close(j.over)
		}()
		actors := make([]*actor, size)
		for number := range actors {
			theirs, ours := net.Pipe()
			a := &actor{t: t, conn: theirs, ends: make(chan process.Outcome, 1)}
			r := &rank{number: number, process: a, where: "program", pmi: ours}
			j.forward(r, silence{}, silence{})
			j.enter(number, r, nil)
			a.client, err = pmi.NewClient(t.Context(), theirs, number, size)
			require.NoError(t, err)
			actors[number] = a
		}
		j.post(func() { j.starting = false })
		play(actors)
		<-ended
		j.lastMessages()
		j.server.Close()
		said = stderr.String()
	})
	return said, took
}

// A rank that has seen another one fail has failed because of it, though the launcher hears of that later.
func TestTheCauseIsNamedAndNotItsEffect(t *testing.T) {
	failed, killed := process.Outcome{Status: 1}, process.Outcome{Signal: 9, SignalName: "killed"}
	const (
		first  = "mpirun: rank 0 (program) exited with status 1"
		second = "mpirun: rank 1 (program) was killed by signal 9 (killed)"
		third  = "mpirun: rank 2 (program) was killed by signal 9 (killed)"
	)
	for name, test := range map[string]struct {
		play func(ranks []*actor)
		said string
		took time.Duration
	}{
		"a process that is taken down slowly": {
			func(ranks []*actor) {
				ranks[1].parts()
				ranks[0].sees(1)
				ranks[0].end(failed)
				time.Sleep(50 * time.Second)
				ranks[1].end(killed)
			}, second, 50 * time.Second,
		},
		"a process that is taken down without end": {
			func(ranks []*actor) {
				ranks[1].parts()
				ranks[0].sees(1)
				ranks[0].end(failed)
			}, first, dyingTime,
		},
		"a rank that lives": {
			func(ranks []*actor) {
				ranks[0].sees(1)
				ranks[0].end(failed)
			}, first, causeTime,
		},
		"a rank that is not named": {
			func(ranks []*actor) {
				ranks[0].sees(pmi.AnyPeer)
				ranks[0].end(failed)
				time.Sleep(causeTime / 2)
				ranks[1].end(killed)
			}, second, causeTime / 2,
		},
		"a rank that has ended well": {
			func(ranks []*actor) {
				ranks[0].sees(1)
				require.NoError(ranks[1].t, ranks[1].client.Finalize(ranks[1].t.Context()))
				ranks[1].end(process.Outcome{})
				ranks[0].end(failed)
			}, first, 0,
		},
		"a rank that ends well while it is waited for": {
			func(ranks []*actor) {
				ranks[0].sees(1)
				ranks[0].end(failed)
				time.Sleep(time.Second)
				require.NoError(ranks[1].t, ranks[1].client.Finalize(ranks[1].t.Context()))
				ranks[1].end(process.Outcome{})
			}, first, time.Second,
		},
		"the cause of the cause": {
			func(ranks []*actor) {
				ranks[2].parts()
				ranks[1].sees(2)
				ranks[0].sees(1)
				ranks[0].end(failed)
				ranks[1].end(failed)
				time.Sleep(50 * time.Second)
				ranks[2].end(killed)
			}, third, 50 * time.Second,
		},
		"two ranks that take each other for dead": {
			func(ranks []*actor) {
				ranks[0].sees(1)
				ranks[1].sees(0)
				ranks[0].end(failed)
				ranks[1].end(failed)
			}, first, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			said, took := perform(t, 4, test.play)
			assert.Equal(t, test.said+"; ending the job\n", said)
			assert.Equal(t, test.took, took)
		})
	}
}
