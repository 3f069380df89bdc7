package driver

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestContentionIsManySlicesLostInFewWaits(t *testing.T) {
	// reports makes waits of which one in so many loses a slice, and returns what each loss reports.
	reports := func(waitsPerLoss, losses int) (all []bool) {
		var l lostSlices
		for range losses {
			for range waitsPerLoss {
				l.wait()
			}
			all = append(all, l.lose())
		}
		return all
	}
	const no, yes = false, true
	require.Equal(t, []bool{no, no, no, no, yes, no, no, no, no, yes}, reports(1, 10))
	require.Equal(t, []bool{no, no, no, no, yes, no, no, no, no, yes}, reports(2, 10))
	require.Equal(t, make([]bool, 10), reports(3, 10))
}

// yielding is a driver on virtual time whose yields take so long, and counts them.
func yielding(t *testing.T, cfg rpi.Config, takes time.Duration) (f *fake, yields *int) {
	f, d := drive(t, cfg)
	yields = new(int)
	d.yieldProcessor = func() {
		*yields++
		time.Sleep(takes)
	}
	return f, yields
}

// await waits for what comes after a time.
func (f *fake) await(t *testing.T, after time.Duration) {
	w := rpi.NewWaiter()
	go func() {
		time.Sleep(after)
		f.send(w.Signal)
	}()
	require.NoError(t, f.driver.Await(context.Background(), w))
}

func TestRanksThatShareProcessorsBlockBesideProgramsThatCompute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, yields := yielding(t, rpi.Config{Oversubscribed: true}, 3*time.Millisecond)
		for loss := range manyLost {
			f.await(t, 10*time.Millisecond)
			require.Equal(t, 1+loss, *yields, "a wait that has lost a slice loses no other")
		}
		until := f.driver.contention.until
		require.NotZero(t, until)
		for time.Since(f.driver.epoch) < until {
			f.await(t, 10*time.Millisecond)
		}
		require.Equal(t, manyLost, *yields)
		f.await(t, 10*time.Millisecond)
		require.Equal(t, manyLost+1, *yields, "then it is tried again")
	})
}

func TestRanksGoOnYieldingAmongThemselves(t *testing.T) {
	for name, c := range map[string]struct {
		cfg   rpi.Config
		yield time.Duration
	}{
		"yields that are short":     {rpi.Config{Oversubscribed: true}, 5 * time.Microsecond},
		"a time that was asked for": {rpi.Config{Oversubscribed: true, Spin: time.Minute}, 3 * time.Millisecond},
		"a processor for each rank": {rpi.Config{}, 3 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, yields := yielding(t, c.cfg, c.yield)
				f.driver.contention.pressure = nil // that of this machine
				for range 100 {
					before := *yields
					f.await(t, 10*time.Millisecond)
					require.Greater(t, *yields, before)
				}
			})
		})
	}
}
