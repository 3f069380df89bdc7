package matching

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the random histories; 0: a new one every time")

// TestRandomHistoriesMatchTheRules plays random histories on the engine and
// on the oracle: posts with all kinds of wildcards, probes, cancels, takes,
// and messages that arrive in the order of their streams but with gaps.
func TestRandomHistoriesMatchTheRules(t *testing.T) {
	const histories, shards = 20_000, 4
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	for shard := range shards {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			for i := shard; i < histories; i += shards {
				h := randomHistory(rand.New(rand.NewPCG(seed, uint64(i))))
				if play(h, nil) != nil {
					t.Fatalf("history %d of -seed=%d\n%s", i, seed, explain(h))
				}
			}
		})
	}
}

// randomHistory makes up to 60 commands, short ones more often.
func randomHistory(rng *rand.Rand) history {
	h := make(history, commandSize*(2+rng.IntN(1+rng.IntN(60))))
	for i := range h {
		h[i] = byte(rng.Uint32())
	}
	return h
}

// explain shrinks a history that fails and tells how it goes.
func explain(h history) string {
	h = shrink(h)
	var log strings.Builder
	err := play(h, &log)
	return fmt.Sprintf("%s%v\nhistory: %q", log.String(), err, string(h))
}

// shrink leaves out commands, and then makes their bytes smaller, as long as
// the history still fails.
func shrink(h history) history {
	for again := true; again; {
		again = false
		for n := len(h) / commandSize; n >= 1; n /= 2 {
			for i := commandSize; i+n*commandSize <= len(h); {
				if less := slices.Delete(slices.Clone(h), i, i+n*commandSize); play(less, nil) != nil {
					h, again = less, true
				} else {
					i += commandSize
				}
			}
		}
		for i := range h {
			for _, b := range []byte{0, 1, 16, 17, h[i] % 20, h[i] / 2} {
				if less := slices.Clone(h); b < h[i] {
					less[i] = b
					if play(less, nil) != nil {
						h, again = less, true
						break
					}
				}
			}
		}
	}
	return h
}

// FuzzEngine lets the fuzzer write histories.
func FuzzEngine(f *testing.F) {
	for i := range uint64(20) {
		f.Add([]byte(randomHistory(rand.New(rand.NewPCG(1, i)))))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 200*commandSize {
			return // the oracle is slow
		}
		if play(data, nil) != nil {
			t.Fatal(explain(data))
		}
	})
}
