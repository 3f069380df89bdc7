package rank

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// do runs an order with ranks in this process and returns the output of rank 0.
func do(ranks int, o Order) (string, error) {
	for i := range o.Works {
		o.Works[i].Duration = time.Millisecond
	}
	o.Local = true
	var out bytes.Buffer
	err := mpi.RunLocal(ranks, func(world *mpi.Comm) error { return o.Do(world, strings.NewReader("\n"), &out) })
	return out.String(), err
}

// figures returns the results in the output of a rank.
func figures(t *testing.T, output string) []Figures {
	t.Helper()
	var all []Figures
	for line := range strings.Lines(output) {
		var f Figures
		require.NoError(t, json.Unmarshal([]byte(line), &f), "a result is a line of JSON")
		all = append(all, f)
	}
	return all
}

func TestEveryProgramHasItsFigures(t *testing.T) {
	for _, c := range []struct {
		work Work
		want []string
	}{
		{Work{Program: "latency", Size: 8}, []string{"half_rtt_us", "calls"}},
		{Work{Program: "latency", Size: 8, Posted: 100}, []string{"half_rtt_us"}},
		{Work{Program: "latency", Size: 0, Unexpected: 100}, []string{"half_rtt_us"}},
		{Work{Program: "flood", Size: 100, Window: 3}, []string{"msgs_s", "gbit_s", "gap_us"}},
		{Work{Program: "flood", Size: 100, Window: 3, Goroutines: 4, Both: true}, []string{"msgs_s", "gbit_s", "gap_us"}},
		{Work{Program: "flood", Size: 100_000, Window: 3, Both: true}, []string{"msgs_s", "gbit_s", "gap_us"}},
		{Work{Program: "flood", Size: 8, Window: 3, Tags: 7}, []string{"msgs_s", "gap_us", "calls"}},
		{Work{Program: "pushback", Size: 8, Window: 3, Unread: Unread{2, 3, 1000}}, []string{"msgs_s", "alone_msgs_s", "kept", "memory_mib", "kernel_mib"}},
		{Work{Program: "eel", Operation: Send, Size: 8}, []string{"eel_us"}},
		{Work{Program: "eel", Link: "tcp", Size: 8}, []string{"eel_us"}},
		{Work{Program: "gap", Operation: Send, Size: 8, Window: 1}, []string{"gap_us", "calls"}},
		{Work{Program: "gap", Operation: Send, Size: 100_000, Window: 3}, []string{"gap_us"}},
		{Work{Program: "gap", Operation: Put, Size: 8, Window: 4}, []string{"gap_us"}},
		{Work{Program: "gap", Operation: Get, Size: 1000, Window: 4}, []string{"gap_us"}},
		{Work{Program: "gap", Link: "engine", Size: 8, Window: 4}, []string{"gap_us"}},
		{Work{Program: "gap", Link: "tcp", Size: 8, Window: 4, Single: true}, []string{"gap_us"}},
		{Work{Program: "overlap", Size: 100_000, Compute: 10 * time.Microsecond}, []string{"transfer_us", "total_us", "wait_us", "hidden"}},
		{Work{Program: "overlap", Size: 100_000, Increments: 1000}, []string{"transfer_us", "total_us", "wait_us", "hidden"}},
		{Work{Program: "overlap", Operation: "allreduce", Size: 100_000, Compute: 10 * time.Microsecond}, []string{"transfer_us", "total_us", "wait_us", "hidden"}},
		{Work{Program: "backlog", Size: 8, Window: 3}, []string{"receive_us", "message_us"}},
		{Work{Program: "backlog", Size: 100_000, Window: 3, Posted: 1}, []string{"receive_us", "message_us"}},
		{Work{Program: "exchange", Size: 8, Count: 7}, []string{"step_us"}},
		{Work{Program: "collective", Operation: "barrier"}, []string{"operation_us"}},
	} {
		t.Run(c.work.Program, func(t *testing.T) {
			output, err := do(2, Order{Works: []Work{c.work}})
			require.NoError(t, err)
			all := figures(t, output)
			require.Len(t, all, 1)
			for _, name := range append(c.want, "count", "wall_s", "cpu_s", "shared_peers") {
				assert.Contains(t, all[0], name)
			}
			assert.Positive(t, all[0]["count"])
			assert.Positive(t, all[0]["wall_s"])
		})
	}
}

func TestFloodGoesToAllOtherRanksInTurn(t *testing.T) {
	var o Order
	for _, operation := range []string{Send, Put, Get} {
		o.Works = append(o.Works, Work{Program: "gap", Operation: operation, Size: 8, Window: 4})
	}
	output, err := do(4, o)
	require.NoError(t, err)
	for _, f := range figures(t, output) {
		assert.Positive(t, f["gap_us"])
	}
}

func TestEveryCollectiveOperationIsMeasuredAmongManyRanks(t *testing.T) {
	var o Order
	for _, name := range Operations() {
		o.Works = append(o.Works, Work{Program: "collective", Operation: name, Size: 64})
	}
	output, err := do(3, o)
	require.NoError(t, err)
	all := figures(t, output)
	require.Len(t, all, len(Operations()))
	for _, f := range all {
		assert.Positive(t, f["operation_us"])
	}
}

func TestCountIsWhatIsMeasured(t *testing.T) {
	output, err := do(2, Order{Works: []Work{{Program: "latency", Count: 17}}})
	require.NoError(t, err)
	assert.Equal(t, 17.0, figures(t, output)[0]["count"])
}

// TestManyTagsTakeTurns: a message is sent with each tag, whatever the window.
func TestManyTagsTakeTurns(t *testing.T) {
	f := &flooder{session: &session{Work: Work{Tags: 7, Window: 3}}}
	used := make(map[int]int)
	for range 7 {
		for i := range f.Window {
			used[f.work(i)]++
		}
		f.turn += f.Window
	}
	assert.Len(t, used, 7)
	for tag, n := range used {
		assert.Equal(t, 3, n, "tag %d", tag)
	}
}

func TestUnreadMessagesAreHeldUntilTheyAreReceived(t *testing.T) {
	output, err := do(2, Order{Works: []Work{{Program: "pushback", Size: 8, Window: 3, Unread: Unread{Tags: 2, Messages: 5, Size: 1 << 10}}}})
	require.NoError(t, err)
	f := figures(t, output)[0]
	assert.Equal(t, 1.0, f["sent"], "there is room for short messages")
	assert.GreaterOrEqual(t, f["held_mib"], 10.0/1024)
	output, err = do(2, Order{Works: []Work{{Program: "pushback", Size: 8, Window: 3, Unread: Unread{Tags: 1, Messages: 1, Size: 100 << 20}}}})
	require.NoError(t, err)
	assert.Zero(t, figures(t, output)[0]["sent"], "a long one waits")
}

func TestKernelsMemoryIsThatOfTCPAndUDP(t *testing.T) {
	const text = "sockets: used 9\nTCP: inuse 5 orphan 0 tw 0 alloc 7 mem 11\nUDP: inuse 2 mem 31\nUDPLITE: inuse 0\nRAW: inuse 0\nFRAG: inuse 0 memory 0\n"
	assert.EqualValues(t, 42, socketPages(text))
	assert.Zero(t, socketPages(""))
}

func TestIdleRanksTakeNoPart(t *testing.T) {
	output, err := do(5, Order{Idle: 3, Works: []Work{{Program: "latency", Size: 8}, {Program: "flood", Size: 8, Window: 2}}})
	require.NoError(t, err)
	assert.Len(t, figures(t, output), 2)
}

func TestOrderThatWaitsSaysWhenItIsReady(t *testing.T) {
	output, err := do(2, Order{Wait: true, Works: []Work{{Program: "latency"}}})
	require.NoError(t, err)
	ready, results, _ := strings.Cut(output, "\n")
	assert.Empty(t, ready)
	assert.Len(t, figures(t, results), 1)
}

func TestOrderThatCannotBeDoneEndsTheJob(t *testing.T) {
	for _, c := range []struct {
		ranks int
		work  Work
		want  string
	}{
		{2, Work{Program: "sleep"}, `"sleep" is none of the programs`},
		{2, Work{Program: "collective", Operation: "pot-latch"}, `"pot-latch" is none of the operations`},
		{1, Work{Program: "latency"}, "a measurement needs two ranks"},
		{2, Work{Program: "gap", Operation: "pot-latch"}, `"pot-latch" is none of the operations`},
		{2, Work{Program: "gap", Link: "pigeon"}, `"pigeon" between 2 ranks`},
		{3, Work{Program: "eel", Link: "tcp"}, `"tcp" between 3 ranks`},
	} {
		_, err := do(c.ranks, Order{Works: []Work{c.work}})
		assert.ErrorContains(t, err, c.want)
	}
	var stderr bytes.Buffer
	assert.Equal(t, 1, Main("no JSON", nil, nil, &stderr))
	assert.Contains(t, stderr.String(), "the order of a rank")
}

func TestSequentialProgramComputesUntilItsInputEnds(t *testing.T) {
	var out, stderr bytes.Buffer
	require.Equal(t, 0, SequentialMain(strings.NewReader("\n"), &out, &stderr), "%s", &stderr)
	ready, results, _ := strings.Cut(out.String(), "\n")
	assert.Empty(t, ready)
	assert.Positive(t, figures(t, results)[0]["speed"])
	assert.Equal(t, 1, SequentialMain(strings.NewReader(""), &out, &stderr))
	assert.Contains(t, stderr.String(), "waiting for the signal to begin")
}

func TestProgramsAndOperationsAreSorted(t *testing.T) {
	assert.True(t, slices.IsSorted(Programs()))
	assert.True(t, slices.IsSorted(Operations()))
}
