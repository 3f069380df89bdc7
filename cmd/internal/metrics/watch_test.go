package metrics

import (
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// However many ask how often, the ranks are asked once a second, and not at all when none asks.
func TestRanksAreAskedOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, looks := watching(2)
		time.Sleep(time.Hour)
		assert.Zero(t, *looks)
		for range 10 {
			var scrapers sync.WaitGroup
			for range 50 {
				scrapers.Go(func() { w.see() })
			}
			scrapers.Wait()
			time.Sleep(leastInterval / 10)
		}
		assert.Equal(t, 1, *looks)
		w.see()
		assert.Equal(t, 2, *looks)
	})
}

// What is made of a look is made once.
func TestATextIsMadeOnce(t *testing.T) {
	w, _ := watching(100)
	v := w.see()
	assert.Same(t, &v.openMetrics()[0], &v.openMetrics()[0])
	assert.Same(t, &v.sample()[0], &v.sample()[0])
}

// A counter of Prometheus that falls counts as one that has begun anew, with all that it says.
func TestCountsNeverFall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		job := jobOf(2, 10)
		w := &watch{look: func() (sight.Job, bool) {
			now := job
			now.Ranks = append([]sight.Rank{}, job.Ranks...)
			return now, true
		}}
		resent := func(now uint64) uint64 {
			job.Ranks[0].Resent = now
			time.Sleep(leastInterval)
			return w.see().counts[0].resent
		}
		assert.EqualValues(t, 7, resent(7))
		assert.EqualValues(t, 7, resent(2), "a connection has ended, and its count with it")
		assert.EqualValues(t, 10, resent(5))
		job.Ranks[0].Sent--
		time.Sleep(leastInterval)
		assert.EqualValues(t, 100, w.see().counts[0].sent, "a send has been cancelled")
	})
}

func TestTheTimelineIsBoundedAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := watching(2)
		mux := newMux(w)
		read := func(path string) (points [][]float64) {
			var answer struct{ Timeline [][]float64 }
			require.NoError(t, json.Unmarshal(get(mux, path).Body.Bytes(), &answer))
			return answer.Timeline
		}
		require.Len(t, read("/sample.json"), 1)
		for range 2 * maxPoints {
			time.Sleep(leastInterval)
			w.see()
		}
		all := read("/sample.json?after=0")
		require.Len(t, all, maxPoints)
		last := all[maxPoints-1]
		assert.Equal(t, []float64{20, 10000, 1, 1, 1}, last[1:], "two ranks send ten messages of 500 bytes a second, and use half a processor each")
		after, _ := json.Marshal(int64(all[maxPoints-4][0]))
		assert.Equal(t, all[maxPoints-3:], read("/sample.json?after="+string(after)))
	})
}

// What the page gets of a job of a thousand ranks stays small enough for a look each second.
func TestTheSampleOfAThousandRanks(t *testing.T) {
	w, _ := watching(1000)
	text := w.see().sample()
	assert.Less(t, len(text), 1<<20)
	var s sample
	require.NoError(t, json.Unmarshal(text, &s))
	assert.Len(t, s.Ranks, 1000)
	assert.Equal(t, []int{998}, s.Ranks[999].Peers)
	assert.Equal(t, 1.5, s.Ranks[999].Waited)
}
