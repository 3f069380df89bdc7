package mpi_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var (
	randomSeeds = flag.Uint64("random.seeds", 0, "`number` of random programs over each transport in each mode; 0: a few")
	randomFirst = flag.Uint64("random.first", 1, "seed of the first random program")
	randomTime  = flag.Duration("random.time", 0, "start no random programs after this `time`, which tests, transports and modes share; 0: no limit")
)

const (
	// seedVariable tells a rank which program to run.
	seedVariable = "MPI_TEST_SEED"
	// randomRanks is how many ranks a random program has at most, collectiveRanks one of collective operations alone, and
	// communicatorRanks one of communicators.
	randomRanks       = 5
	collectiveRanks   = 17
	communicatorRanks = 7
	// randomLimit is after what time a random program counts as hanging. It takes less than a second
	// where nothing else runs.
	randomLimit = 5 * time.Minute
)

var progressModes = []string{"hybrid", "event", "inline"}

func init() {
	programs["random"] = func(world *mpi.Comm) error {
		seed, err := strconv.ParseUint(os.Getenv(seedVariable), 10, 64)
		if err != nil {
			return err
		}
		p := mpitest.New(seed, randomRanks)
		return p.Run(world)
	}
}

// randomRun runs a random program as a job, which New of package mpitest makes.
type randomRun func(t *testing.T, transport, mode string, seed uint64, p mpitest.Program)

// eachSeed runs random programs over each carrier in each mode. Unless -random.seeds says
// otherwise there are number of them, in so many modes, and other ones for each carrier and mode.
func eachSeed(t *testing.T, carriers []carrier, number uint64, modes int, run randomRun) {
	everySeed(t, carriers, number, modes, func(t *testing.T, transport, mode string, seed uint64) {
		run(t, transport, mode, seed, mpitest.New(seed, randomRanks))
	})
}

// everySeed is eachSeed for programs that are made otherwise.
func everySeed(t *testing.T, carriers []carrier, number uint64, modes int, run seedRun) {
	next := func() uint64 { return *randomFirst }
	if *randomSeeds > 0 {
		number, modes = *randomSeeds, len(progressModes)
	} else {
		first := *randomFirst
		next = func() uint64 { first += number; return first - number }
	}
	for _, c := range carriers {
		c.run(t, func(t *testing.T, transport string) {
			for _, mode := range progressModes[:modes] {
				t.Run(mode, func(t *testing.T) { run.seeds(t, transport, mode, next(), number) })
			}
		})
	}
}

// seedRun runs the random program of a seed as a job.
type seedRun func(t *testing.T, transport, mode string, seed uint64)

// randomShare is what each test of random programs has of -random.time, for each transport and network in each mode. The
// lab's part counts too: there are the same shares there.
func randomShare() time.Duration {
	const tests = 13
	networks := len(labCarriers()) + len(transports())
	return *randomTime / time.Duration(tests*networks*len(progressModes))
}

// seeds runs so many random programs, and tells how far it is.
func (run seedRun) seeds(t *testing.T, transport, mode string, first, number uint64) {
	begun, share := time.Now(), randomShare()
	var after growth
	done := uint64(0)
	defer func() {
		if done >= settled+observed && !t.Failed() {
			after.check(t, int(done-settled))
		}
	}()
	for n := range number {
		if *randomTime > 0 && time.Since(begun) > share {
			t.Skipf("time is up after %d of %d programs", n, number)
		}
		run.one(t, transport, mode, first+n)
		if done++; done > settled {
			after.ended()
		}
		if n%25 == 24 {
			fmt.Printf("%s: %d of %d programs, %v\n", t.Name(), n+1, number, time.Since(begun).Round(time.Second))
		}
	}
}

// one runs a random program, and if it fails or hangs says how to run it alone.
func (run seedRun) one(t *testing.T, transport, mode string, seed uint64) {
	alone := fmt.Sprintf("go test ./mpi -run '%s' -random.first=%d -random.seeds=1", exactly(t.Name()), seed)
	watch := time.AfterFunc(randomLimit, func() { panic("it hangs: " + alone) })
	defer func() {
		watch.Stop()
		if t.Failed() {
			t.Log("alone: " + alone)
		}
	}()
	if run(t, transport, mode, seed); t.Failed() {
		t.FailNow()
	}
}

// exactly is a pattern for the name of a test.
func exactly(name string) string { return "^" + strings.ReplaceAll(name, "/", "$/^") + "$" }

// Random programs have the results that the rules of MPI demand.
func TestRandomPrograms(t *testing.T) {
	eachSeed(t, carriers, 1, 3, func(t *testing.T, transport, mode string, _ uint64, p mpitest.Program) {
		runHere(t, transport, mode, p)
	})
}

// Nor do they see that links are cut for a while, as long as no peer counts as dead.
func TestRandomProgramsOverCutLinks(t *testing.T) {
	if lab.Inside() {
		t.Skip("the engine's network is of this host")
	}
	cut := []carrier{{name: mpi.Cut, transport: mpi.Cut, impaired: true}}
	eachSeed(t, cut, 1, 1, func(t *testing.T, transport, mode string, _ uint64, p mpitest.Program) {
		runHere(t, transport, mode, p)
	})
}

// runHere runs a random program in this process.
func runHere(t *testing.T, transport, mode string, p mpitest.Program, options ...mpi.Option) {
	runJob(t, p.Size, p.Run, append(options, mpi.WithTransport(transport), mpi.WithProgress(mode),
		mpi.WithEagerLimit(p.EagerLimit), mpi.WithUnexpectedLimit(p.UnexpectedLimit))...)
}

// runJob runs what each rank of a job does in this process.
func runJob(t *testing.T, size int, run func(world *mpi.Comm) error, options ...mpi.Option) {
	err := mpi.RunLocal(size, func(world *mpi.Comm) error {
		err := run(world)
		if err != nil {
			_ = world.Abort(1) // others may wait for what has gone wrong
		}
		return err
	}, options...)
	if err != nil {
		t.Error(err)
	}
}

// Collective operations of all kinds, types, lengths and forms, many under way on one communicator, on ranks of one host and
// of several, have the results of the standard's definitions.
func TestRandomCollectives(t *testing.T) {
	modes, number, carriers := 1, uint64(1), carriers
	if long() {
		modes, number = len(progressModes), 20
	} else {
		carriers = slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.impaired })
	}
	everySeed(t, carriers, number, modes, func(t *testing.T, transport, mode string, seed uint64) {
		p := mpitest.Collectives(seed, collectiveRanks)
		hosts := make([]int32, p.Size)
		for rank := range hosts {
			hosts[rank] = int32(seed % 3 * uint64(rank*rank) % 5) // of one host in each third program
		}
		t.Setenv(rpi.EnvReproducible, strconv.FormatUint(seed%2, 10)) // no result is rounded, so all are the same
		runHere(t, transport, mode, p, mpi.WithHosts(hosts...))
	})
}

// Communicators of all kinds, several at a time and with several operations under way on each, do not meet.
func TestRandomProgramsOnCommunicators(t *testing.T) {
	modes, number, carriers := 1, uint64(2), carriers
	if long() {
		modes, number = len(progressModes), 20
	} else {
		carriers = slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.impaired })
	}
	everySeed(t, carriers, number, modes, func(t *testing.T, transport, mode string, seed uint64) {
		runHere(t, transport, mode, mpitest.Communicators(seed, communicatorRanks))
	})
}

// randomEnvironment is what a process is told about a random program. Each second one has one processor.
func randomEnvironment(transport, mode string, seed uint64, p mpitest.Program) []string {
	environment := []string{
		"SCTPMPI_TRANSPORT=" + transport, "SCTPMPI_PROGRESS=" + mode, fmt.Sprint(seedVariable, "=", seed),
		fmt.Sprint("SCTPMPI_EAGER_LIMIT=", p.EagerLimit), fmt.Sprint("SCTPMPI_UNEXPECTED_LIMIT=", p.UnexpectedLimit),
	}
	if seed%2 == 0 {
		environment = append(environment, "GOMAXPROCS=1")
	}
	return environment
}

// They have them in processes too.
func TestRandomProgramsInProcesses(t *testing.T) {
	eachSeed(t, carriers, 1, 3, func(t *testing.T, transport, mode string, seed uint64, p mpitest.Program) {
		ranks, aborts := launch(t, "random", p.Size, randomEnvironment(transport, mode, seed, p)...)
		for rank, r := range ranks {
			if r.failed || len(aborts) > 0 {
				t.Errorf("rank %d: %s; aborts: %v", rank, r.stderr, aborts)
			}
		}
	})
}

// builtMpirun is where buildMpirun has put mpirun.
var builtMpirun string

// buildMpirun builds mpirun, once for all tests. Go is not in the lab, so that the carriers without it are those that can be used.
func buildMpirun(t *testing.T) (mpirun string, here []carrier) {
	here = slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.enter != nil })
	if builtMpirun == "" {
		mpirun = filepath.Join(labtest.TempDir(t), "mpirun")
		out, err := exec.Command("go", "build", "-o", mpirun, "github.com/sctpmpi/sctpmpi/cmd/mpirun").CombinedOutput()
		require.NoError(t, err, string(out))
		builtMpirun = mpirun
	}
	return builtMpirun, here
}

// And under mpirun.
func TestRandomProgramsByMpirun(t *testing.T) {
	mpirun, here := buildMpirun(t)
	eachSeed(t, here, 1, 1, func(t *testing.T, transport, mode string, seed uint64, p mpitest.Program) {
		job := exec.CommandContext(t.Context(), mpirun, "-n", strconv.Itoa(p.Size), os.Args[0])
		job.Env = append(os.Environ(), append(randomEnvironment(transport, mode, seed, p), programVariable+"=random")...)
		if out, err := job.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
