package experiments_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/experiments"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/simtest"
)

// The embedded engine runs the programs of experiments in virtual time too, where nothing but the network takes time: a check of the lab,
// which no load of the machine changes. make simulate writes the results of all that can be.
var (
	simulated = flag.String("simulate", "", "simulate these `experiments`, separated by commas, with all their cases")
	results   = flag.String("simulate.out", "", "the `directory` of NAME-simulated.csv for each")
	jobs      = flag.Int("simulate.jobs", plan.LeastJobs, "the `number` of jobs of each cell")
)

func TestSimulate(t *testing.T) {
	if *simulated == "" {
		t.Skip("it runs by make simulate")
	}
	all, err := experiments.Select(strings.Split(*simulated, ","), nil, false)
	require.NoError(t, err)
	for _, e := range all {
		var done []record.Result
		begun := time.Now()
		cells := playable(e)
		for i, cell := range cells {
			for round := range *jobs {
				done = append(done, play(t, e, cell, round+1))
			}
			fmt.Printf("%s: %d of %d cells, %v\n", e.Name, i+1, len(cells), time.Since(begun).Round(time.Second))
		}
		var csv bytes.Buffer
		require.NoError(t, record.WriteCSV(&csv, done))
		require.NoError(t, os.WriteFile(filepath.Join(*results, e.Name+"-simulated.csv"), csv.Bytes(), 0o644))
	}
}

// What experiments do can be done in virtual time: one cell of each with the engine, in its quick form, and it measures what the report shows.
func TestProgramsRunInVirtualTime(t *testing.T) {
	played := 0
	for _, e := range experiments.All(true) {
		for _, cell := range playable(e) {
			if cell.Variant.Name != "sctp-engine" {
				continue
			}
			played++
			r := play(t, e, cell, 1)
			assert.Equal(t, record.Done, r.Status, "%s: %s: %s", e.Name, r.Case, r.Error)
			assert.NotEmpty(t, r.Metrics, e.Name)
			break
		}
	}
	assert.Greater(t, played, 5)
}

// A step beside bulk that is not received takes about a round trip, over each transport: bulk delays it only while it is on the link.
func TestALateReceiverDoesNotDelayItsCriticalPath(t *testing.T) {
	all, err := experiments.Select([]string{"latereceiver"}, nil, false)
	require.NoError(t, err)
	played := 0
	for _, cell := range playable(all[0]) {
		id := cell.Case.ID()
		if strings.Contains(cell.Variant.Name, "streams=1") || !strings.Contains(id, "room=512 KiB") || strings.Contains(id, "bulk=none") {
			continue
		}
		played++
		r := play(t, all[0], cell, 1)
		require.Equal(t, record.Done, r.Status, "%s: %s", id, r.Error)
		least := cell.Case.Factors[0].Value // ms of a round trip
		assert.Less(t, r.Metrics["critical"], 1.2*least+5, "%s, %s", cell.Variant.Name, id)
	}
	assert.Equal(t, 12, played)
}

// playable are the cells that virtual time can have: over the engine, on one network that is never cut.
func playable(e plan.Experiment) (cells []plan.Cell) {
	for _, cell := range e.Cells() {
		transport := cell.Variant.Transport
		if (transport == "sctp-engine" || transport == "sctp-pertrc") && ranks.CanPlay(cell.Case.Program) &&
			cell.Case.Cut == nil && cell.Case.Links < 2 {
			cells = append(cells, cell)
		}
	}
	return cells
}

// Metrics that are not of the network.
var real = []string{"cpu", "memory", "waits", "sockets"}

// play runs a job in virtual time.
func play(t *testing.T, e plan.Experiment, cell plan.Cell, round int) record.Result {
	t.Helper()
	c := cell.Case
	for _, setting := range append(append([]string{}, cell.Variant.Env...), c.Env...) {
		name, value, _ := strings.Cut(setting, "=")
		before, was := os.LookupEnv(name)
		require.NoError(t, os.Setenv(name, value))
		defer func() {
			if was {
				os.Setenv(name, before)
			} else {
				os.Unsetenv(name)
			}
		}()
	}
	params, err := json.Marshal(c.Params)
	require.NoError(t, err)
	r := record.Result{
		Key:     record.Key{Experiment: e.Name, Case: c.ID(), Variant: cell.Variant.Name + ", simulated", Round: round},
		Factors: c.Factors, Conditions: c.Conditions.String(), Status: record.Done,
	}
	n := &simtest.Network{Transport: cell.Variant.Transport, Link: link(c, c.Calm), Seed: uint64(round)}
	err = simtest.Run(t, c.Ranks, n, func(world *mpi.Comm) error {
		begun := time.Now()
		m, err := ranks.Play(c.Program, params, world, begins(func() { n.SetLink(link(c, false)) }))
		if world.Rank() == 0 {
			r.Metrics, r.Seconds = m, time.Since(begun).Seconds()
		}
		return err
	})
	for _, name := range real {
		delete(r.Metrics, name)
	}
	if err != nil {
		r.Status, r.Error = record.Failed, err.Error()
	}
	return r
}

// begins is the output of a rank, which calls a function when its work begins.
type begins func()

func (b begins) Write(text []byte) (int, error) {
	if strings.Contains(string(text), ranks.Begun) {
		b()
	}
	return len(text), nil
}

// link is what a case's network does to what a host sends.
func link(c *plan.Case, calm bool) simtest.Link {
	const headers = 14 + 20 + 8 // of Ethernet, IPv4 and UDP
	share := func(p netem.Percent) float64 { return float64(p) / 100 }
	n := c.Conditions
	l := simtest.Link{Delay: n.Delay, Rate: int(n.Rate), Queue: int(n.Limit) * 1514, Overhead: headers}
	if calm {
		return l
	}
	l.Loss = share(n.Loss)
	if b := n.LossBurst; b != (netem.GilbertElliott{}) {
		l.Loss, l.LossBad, l.Worsen, l.Recover = share(b.LossGood), share(b.LossBad), share(b.P), share(b.R)
	}
	if c.Sent.Reorder > 0 { // a share is sent at once, the others late
		l.Reorder, l.ReorderBy = 1-share(c.Sent.Reorder), c.Sent.Delay
	}
	return l
}
