package netem_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

func TestParseReadsTheNotationOfTC(t *testing.T) {
	for text, want := range map[string]netem.Conditions{
		"":                      {},
		"delay 10ms":            {Delay: 10 * time.Millisecond},
		"delay 1.5ms 20us":      {Delay: 1500 * time.Microsecond, Jitter: 20 * time.Microsecond},
		"loss 0.1% delay 1s":    {Loss: 0.1, Delay: time.Second},
		"loss gemodel 1%":       {LossBurst: netem.GilbertElliott{P: 1, R: 99, LossBad: 100}},
		"loss gemodel 1% 10%":   {LossBurst: netem.GilbertElliott{P: 1, R: 10, LossBad: 100}},
		"duplicate 2%":          {Duplicate: 2},
		"delay 1ms reorder 25%": {Delay: time.Millisecond, Reorder: 25},
		"corrupt 0.01%":         {Corrupt: 0.01},
		"rate 1.5mbit limit 50": {Rate: 1500 * netem.Kbit, Limit: 50},
		"loss gemodel 1% 10% 70% 0.5%\nrate 8bit": {
			LossBurst: netem.GilbertElliott{P: 1, R: 10, LossBad: 70, LossGood: 0.5}, Rate: 8,
		},
	} {
		got, err := netem.Parse(text)
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, got, text)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"delay":                         `"": a number with a unit was expected, such as 10ms`,
		"delay 10":                      "a number with a unit was expected, such as 10ms",
		"delay 10min":                   "a number with a unit was expected, such as 10ms",
		"delay -1ms":                    "a number with a unit was expected",
		"delay 0.1ns":                   "too precise",
		"delay 99999999999999999999s":   "too large",
		"delay 2h":                      "a number with a unit was expected",
		"delay 3601s":                   "from 0 to 1h0m0s",
		"delay 1ms 2ms":                 "from 0 to the delay",
		"delay 1ms delay 1ms":           "twice",
		"delay 1ms 1ms 25%":             `"25%" is none of`,
		"loss 5":                        "such as 0.5%",
		"loss 101%":                     "from 0% to 100%",
		"loss nan%":                     "such as 0.5%",
		"loss 1e1%":                     "such as 0.5%",
		"loss random 1%":                "such as 0.5%",
		"loss gemodel":                  "such as 0.5%",
		"reorder 1%":                    "needs a delay",
		"rate 10mbps":                   "such as 10mbit",
		"rate 1bit":                     "8bit or more",
		"limit 0":                       "a number of packets",
		"limit -1":                      "a number of packets",
		"slot 1ms":                      `"slot" is none of delay`,
		"loss 1% loss gemodel 1% 2% 3%": "twice",
	} {
		_, err := netem.Parse(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func TestStringIsReadBackByParse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		want := arbitrary(r)
		require.NoError(t, want.Validate())
		got, err := netem.Parse(want.String())
		require.NoError(t, err)
		require.Equal(t, want, got, want.String())
	}
}

// arbitrary returns valid conditions in which each part is there at times.
func arbitrary(r *rand.Rand) netem.Conditions {
	var c netem.Conditions
	percent := func() netem.Percent { return netem.Percent(r.Float64() * 100) }
	set := func(f func()) {
		if r.IntN(3) == 0 {
			f()
		}
	}
	set(func() { c.Loss = percent() })
	set(func() {
		c.Loss, c.LossBurst = 0, netem.GilbertElliott{P: percent(), R: percent(), LossBad: percent(), LossGood: percent()}
	})
	set(func() { c.Duplicate = percent() })
	set(func() { c.Corrupt = percent() })
	set(func() { c.Rate = netem.BitRate(8 + r.Int64N(1<<40)) })
	set(func() { c.Limit = 1 + r.Uint32N(1<<20) })
	set(func() {
		c.Delay = time.Duration(1 + r.Int64N(int64(time.Minute)))
		set(func() { c.Jitter = time.Duration(r.Int64N(int64(c.Delay))) })
		set(func() { c.Reorder = percent() })
	})
	return c
}

func FuzzParse(f *testing.F) {
	f.Add("delay 10ms 1ms loss 1% duplicate 1% reorder 5% corrupt 0.1% rate 10mbit limit 100")
	f.Add("loss gemodel 1% 10% 70% 0.5%")
	f.Add("delay 0.000001ms rate 0.008kbit")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := netem.Parse(text)
		if err != nil {
			return
		}
		again, err := netem.Parse(c.String())
		require.NoError(t, err, c.String())
		require.Equal(t, c, again)
	})
}
