package mpi_test

import (
	"context"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// carrier is what carries the messages of a test: a transport, and the network
// that it has.
type carrier struct {
	name, transport string
	// impaired: packets are lost. slow: so are tests, so that some do less: see
	// everySize, TestRandomSequencesOfCollectives and TestFloodIsHeldAtTheLimit.
	impaired, slow bool
	// enter, unless nil, takes a test to the network.
	enter func(t *testing.T)
	// only, unless nil, are the tests that run over it if tests are not long.
	only []string
	// always: it is the one that a test is for, whichever that has under the race detector.
	always bool
}

// networkTests are the tests of random programs, floods, order, long messages, failures, and the begin and end of jobs: those
// to which the network matters most. Over the lossy network in the lab and over sealed traffic all others are left to long
// tests. (All tests meet losses over the engine, on the impaired transport.)
var networkTests = []string{
	"TestRandomPrograms", "TestRandomProgramsInProcesses", "TestRandomSequencesOfCollectives",
	"TestFloodIsHeldAtTheLimit", "TestFloodOfARankInFinalizeEnds", "TestSendsToARankInFinalizeFail",
	"TestAnyTagReceivesInTheOrderOfSending", "TestMessagesOfOneTagDoNotOvertake", "TestLargeMessages",
	"TestGivingUpLosesNoMessage", "TestFailureInACollectiveReachesItsDependents",
	"TestJobOfProcesses", "TestKernelAndEngineInOneJob", "TestNonblockingCollectivesEndWhenARankDies",
}

// racedTests are the tests that run over all their carriers under the race detector, too: those of goroutines that meet in a transport,
// of memory that ranks share, and one that has a single carrier.
var racedTests = []string{
	"TestRandomPrograms", "TestRandomProgramsWithDeaths", "TestManyGoroutines", "TestMatchedProbesFromManyGoroutines",
	"TestGoroutinesShareMessages", "TestGivingUpLosesNoMessage", "TestNonblockingCollectivesEndWhenARankDies",
	"TestLocksAreOneForRanksNearAndFar", "TestAWindowThatIsSharedNeedsNoTarget", "TestRandomProgramsBesideAStoppedMpirun",
}

// carriers has all carriers. In the lab tests run only over the kernel's SCTP.
var carriers = labCarriers()

// carrierVariable, unless it is empty, is the name of the one carrier that tests run over (make near); or it is allCarriers, and
// they run over all of them under the race detector, too (make test-long).
const (
	carrierVariable = "SCTPMPI_TEST_CARRIER"
	allCarriers     = "all"
)

func init() {
	if !lab.Inside() {
		for _, name := range transports() {
			carriers = append(carriers, carrier{name: name, transport: name, impaired: impaired(name)})
		}
		carriers = append(carriers, sealedCarriers()...)
	}
}

// sealedCarriers seal the traffic as is the default, where that is done in different ways. In short tests the others do not
// (see TestMain): the race detector makes sealing dear. In long ones all do.
func sealedCarriers() (sealed []carrier) {
	if long() {
		return nil
	}
	for _, name := range []string{sctprpi.Name, perpair.Name, pertrc.Name} {
		sealed = append(sealed, carrier{
			name: name + ", sealed", transport: name, only: networkTests,
			enter: func(t *testing.T) { t.Setenv(rpi.EnvEncrypt, "") },
		})
	}
	return sealed
}

// impaired reports whether a transport's network loses packets.
func impaired(transport string) bool {
	_, ok := mpi.ImpairedPertrc[transport]
	return ok || transport == mpi.Impaired
}

// long tests take hours rather than minutes: make test-long.
func long() bool { return os.Getenv("SCTPMPI_TEST_LONG") != "" }

// transports are those that this host has, without the one of which links are cut.
func transports() []string {
	return slices.DeleteFunc(mpi.Transports(), func(name string) bool {
		return name == mpi.Cut || name == sctprpi.KernelName && kernel.Probe() != nil
	})
}

// has reports whether a test runs over a carrier. Under the race detector, which finds in one transport what it finds above another,
// each test has two, others than the next test, unless it is one of racedTests. Without it each has all.
func (c carrier) has(t *testing.T) bool {
	name, _, _ := strings.Cut(t.Name(), "/")
	one := os.Getenv(carrierVariable)
	switch {
	case one != "" && one != allCarriers && one != c.name, c.only != nil && !long() && !slices.Contains(c.only, name):
		return false
	case !raceDetector || one != "" || c.always || slices.Contains(racedTests, name):
		return true
	}
	return c.only == nil && c.inTurn(name)
}

// inTurn reports whether c is one of the two carriers of a test.
func (c carrier) inTurn(test string) bool {
	able := slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.only != nil })
	hash := fnv.New32a()
	hash.Write([]byte(test))
	n := uint32(len(able))
	first, distance := hash.Sum32()%n, 1+hash.Sum32()/n%(n-1)
	return c.name == able[first].name || c.name == able[(first+distance)%n].name
}

// run runs a test over a carrier.
func (c carrier) run(t *testing.T, test func(t *testing.T, transport string)) {
	if !c.has(t) {
		return
	}
	t.Run(c.name, func(t *testing.T) {
		if c.enter != nil {
			c.enter(t)
		}
		test(t, c.transport)
	})
}

// forEachTransport runs a test over every transport that there is.
func forEachTransport(t *testing.T, test func(t *testing.T, options ...mpi.Option)) {
	for _, c := range carriers {
		c.run(t, func(t *testing.T, transport string) { test(t, mpi.WithTransport(transport)) })
	}
}

// forOneTransport runs a test of what is above the transports, and which none of them knows of, over one of them. Long tests
// have all that are not impaired.
func forOneTransport(t *testing.T, test func(t *testing.T, options ...mpi.Option)) {
	one := os.Getenv(carrierVariable)
	if one == "" || one == allCarriers {
		one = perpair.Name
	}
	for _, c := range carriers {
		c.always = c.name == one
		if c.always || long() && !c.impaired {
			c.run(t, func(t *testing.T, transport string) { test(t, mpi.WithTransport(transport)) })
		}
	}
}

// forATransportInTurn runs case i of a test that has many, of what is above the transports, over one that is not impaired: each
// has some of them. Long tests have all.
func forATransportInTurn(t *testing.T, i int, test func(t *testing.T, options ...mpi.Option)) {
	able := slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.impaired || !c.has(t) })
	for k, c := range able {
		if k == i%len(able) || long() {
			c.run(t, func(t *testing.T, transport string) { test(t, mpi.WithTransport(transport)) })
		}
	}
}

// forEachFastTransport runs a test over the transports that are not impaired: one that counts
// allocations, or that needs what a rank has sent to arrive though the rank dies.
func forEachFastTransport(t *testing.T, test func(t *testing.T, options ...mpi.Option)) {
	for _, c := range carriers {
		if !c.impaired {
			c.run(t, func(t *testing.T, transport string) { test(t, mpi.WithTransport(transport)) })
		}
	}
}

// ranks runs fn as n ranks, over every transport. A rank whose assertion fails
// ends, and is dead to the others, so that the test does not hang.
func ranks(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm), options ...mpi.Option) {
	t.Helper()
	for _, c := range carriers {
		c.ranks(t, n, fn, options...)
	}
}

// ranks runs fn as n ranks.
func (c carrier) ranks(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm), options ...mpi.Option) {
	c.run(t, func(t *testing.T, transport string) {
		require.NoError(t, mpi.RunLocal(n, func(world *mpi.Comm) error {
			fn(t, world)
			return nil
		}, append(slices.Clone(options), mpi.WithTransport(transport))...))
	})
}

// wait waits for a request that must succeed.
func wait(t *testing.T, r *mpi.Request) mpi.Status {
	t.Helper()
	status, err := r.Wait(context.Background())
	require.NoError(t, err)
	return status
}

// must takes the request of a call that must succeed.
func must(t *testing.T) func(r *mpi.Request, err error) *mpi.Request {
	return func(r *mpi.Request, err error) *mpi.Request {
		t.Helper()
		require.NoError(t, err)
		return r
	}
}

// sequence returns n numbers from first on.
func sequence(first, n int) []int { return steps(first, 1, n) }

// steps returns n numbers from first on, of which each is by step greater than the one before.
func steps(first, step, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = first + i*step
	}
	return s
}

// disagreeing is ranks for collectives that do not meet. Those that have succeeded all the same
// hear of it in the end.
func disagreeing(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm)) {
	t.Helper()
	for _, c := range carriers {
		c.run(t, func(t *testing.T, transport string) {
			err := mpi.RunLocal(n, func(world *mpi.Comm) error {
				fn(t, world)
				return nil
			}, mpi.WithTransport(transport))
			if err == nil {
				return
			}
			for line := range strings.Lines(err.Error()) {
				require.Contains(t, line, "and this rank received nothing of it")
			}
		})
	}
}
