package correlate

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/fasta"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
	"github.com/sctpmpi/sctpmpi/mpi/simtest"
)

// definition is the biweight midcorrelation as textbooks have it: the midcovariance over the roots of the midvariances.
func definition(x, y []float64) float64 {
	covariance := func(x, y []float64) float64 {
		mx, my := middle(x), middle(y)
		sx, sy := middle(distances(x, mx)), middle(distances(y, my))
		above, belowX, belowY := 0.0, 0.0, 0.0
		for i := range x {
			u, v := (x[i]-mx)/(9*sx), (y[i]-my)/(9*sy)
			a, b := 1-u*u, 1-v*v
			if math.Abs(u) < 1 {
				belowX += a * (1 - 5*u*u)
			}
			if math.Abs(v) < 1 {
				belowY += b * (1 - 5*v*v)
			}
			if math.Abs(u) < 1 && math.Abs(v) < 1 {
				above += (x[i] - mx) * a * a * (y[i] - my) * b * b
			}
		}
		return float64(len(x)) * above / (belowX * belowY)
	}
	return covariance(x, y) / math.Sqrt(covariance(x, x)*covariance(y, y))
}

func middle(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func distances(x []float64, from float64) (all []float64) {
	for _, v := range x {
		all = append(all, math.Abs(v-from))
	}
	return all
}

// random is a table of variables of which each depends on the one before, with outliers.
func random(variables, samples int) *Table {
	r := rand.New(rand.NewPCG(1, 2))
	t := &Table{Samples: samples, Values: make([]float64, variables*samples)}
	for i := range variables {
		t.Names = append(t.Names, fmt.Sprint("v", i))
		for k := range samples {
			t.Column(i)[k] = r.NormFloat64()
			if i > 0 {
				t.Column(i)[k] += t.Column(i - 1)[k]
			}
			if r.IntN(50) == 0 {
				t.Column(i)[k] *= 100
			}
		}
	}
	return t
}

// run returns the job when it is done.
func run(t *testing.T, table *Table, block, ranks int, o farm.Options, options ...mpi.Option) *Job {
	t.Helper()
	job := NewJob(table, block)
	require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error { return part(world, job, o) }, options...))
	return job
}

// part is what a rank does. Only rank 0 has the table.
func part(world *mpi.Comm, job *Job, o farm.Options) error {
	if world.Rank() != 0 {
		job = NewJob(nil, 0)
	}
	_, err := job.Run(context.Background(), world, o) // the test's is of no bubble
	return err
}

func TestCorrelationsAreThoseOfTheDefinition(t *testing.T) {
	for _, samples := range []int{2, 3, 10, 101} {
		table := random(13, samples)
		for _, block := range []int{1, 4, 13, 64} {
			job := run(t, table, block, 1, farm.Options{})
			for a := range 13 {
				for b := range 13 {
					require.InDelta(t, definition(table.Column(a), table.Column(b)), job.matrix[a*13+b], 1e-12, "%d samples, %d and %d", samples, a, b)
				}
			}
		}
	}
}

func TestOutliersDoNotCount(t *testing.T) {
	table := &Table{Names: []string{"x", "y"}, Samples: 101, Values: make([]float64, 202)}
	for k := range table.Samples {
		table.Column(0)[k], table.Column(1)[k] = float64(k), float64(2*k+7)
	}
	table.Column(0)[50], table.Column(1)[50] = 1e9, -1e9
	assert.InDelta(t, 1, run(t, table, 2, 1, farm.Options{}).matrix[1], 0.01)
}

// Where most values are the same there is no measure of how they differ.
func TestCorrelationWithAConstantIsNotDefined(t *testing.T) {
	table := &Table{Names: []string{"x", "c"}, Samples: 5, Values: []float64{1, 2, 3, 4, 5, 7, 7, 7, 8, 7}}
	job := run(t, table, 1, 1, farm.Options{})
	assert.InDelta(t, 1, job.matrix[0], 1e-12)
	assert.True(t, math.IsNaN(job.matrix[1]))
	var tsv, text strings.Builder
	require.NoError(t, job.WriteTSV(&tsv))
	assert.Equal(t, "\tx\tc\nx\t1\tNaN\nc\tNaN\tNaN\n", tsv.String())
	require.NoError(t, job.WriteTable(&text, 5))
	assert.Equal(t, "CORRELATION  OF  AND\n", text.String())
}

// To the last bit, on any number of ranks, over any transport, by any manager.
func TestMatrixDoesNotDependOnHowTheWorkIsDone(t *testing.T) {
	t.Setenv("SCTPMPI_SHM", "off")
	table := random(30, 500)
	want := tsv(t, run(t, table, 7, 1, farm.Options{}))
	for i, transport := range []string{"tcp-perpair", "tcp-pertrc", "sctp-engine", "sctp-pertrc"} {
		o := farm.Options{Slots: 3, Fanout: 1 + i, Receives: farm.Receives(i % 3)}
		require.Equal(t, want, tsv(t, run(t, table, []int{3, 7, 16, 64}[i], 4, o, mpi.WithTransport(transport))), transport)
	}
}

func tsv(t *testing.T, job *Job) string {
	var b bytes.Buffer
	require.NoError(t, job.WriteTSV(&b))
	return b.String()
}

// Of a hundred packets two are lost and 25 come late, in virtual time.
func TestMatrixIsTheSameOverABadNetwork(t *testing.T) {
	table := random(12, 300)
	want := tsv(t, run(t, table, 3, 1, farm.Options{}))
	for _, transport := range []string{"sctp-engine", "sctp-pertrc"} {
		for mode := range farm.Named + 1 {
			job := NewJob(table, 3)
			network := &simtest.Network{
				Transport: transport, Seed: uint64(mode),
				Link: simtest.Link{Delay: 10 * time.Millisecond, Rate: 20e6, Loss: 0.02, Reorder: 0.25, ReorderBy: 5 * time.Millisecond},
			}
			require.NoError(t, simtest.Run(t, 4, network, func(world *mpi.Comm) error {
				return part(world, job, farm.Options{Slots: 3, Fanout: 2, Receives: mode})
			}))
			require.Equal(t, want, tsv(t, job), "%s, %v", transport, mode)
		}
	}
}

func TestFeaturesOfProteins(t *testing.T) {
	table, err := Features([]fasta.Record{{ID: "a", Sequence: []byte("AAAA")}, {ID: "b", Sequence: []byte("ARarX")}})
	require.NoError(t, err)
	require.Len(t, table.Names, 20+1+3*(1+lags))
	value := func(name string, sample int) float64 { return table.Column(slices.Index(table.Names, name))[sample] }
	assert.Equal(t, 1.0, value("share of A", 0))
	assert.Equal(t, 0.5, value("share of R", 1))
	assert.Equal(t, math.Log(4), value("length", 1), "X is none")
	assert.InDelta(t, (1.8-4.5)/2, value("mean hydropathy", 1), 1e-12)
	assert.InDelta(t, -1, value("hydropathy at 1", 1), 1e-12, "neighbours differ")
	assert.InDelta(t, 1, value("hydropathy at 2", 1), 1e-12)
	assert.Zero(t, value("hydropathy at 1", 0))
	_, err = Features([]fasta.Record{{Sequence: []byte("A")}})
	assert.EqualError(t, err, "a correlation needs two proteins at least")
}

func TestMatrixIsKept(t *testing.T) {
	table := random(9, 50)
	job := run(t, table, 2, 1, farm.Options{})
	state, err := job.MarshalBinary()
	require.NoError(t, err)
	other := NewJob(table, 2)
	require.NoError(t, other.UnmarshalBinary(state))
	assert.Equal(t, job.matrix, other.matrix)
	assert.Error(t, other.UnmarshalBinary(state[1:]))
	assert.Equal(t, job.Key(), other.Key())
	assert.NotEqual(t, job.Key(), NewJob(table, 3).Key())
	assert.NotEqual(t, job.Key(), NewJob(random(9, 51), 2).Key())
}
