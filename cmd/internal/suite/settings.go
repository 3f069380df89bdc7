package suite

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// Settings say how long and how often to measure.
type Settings struct {
	// Rounds is how often everything is measured.
	Rounds int
	// Duration is about how long one measurement takes. Warming up takes about as long.
	Duration time.Duration
	// Limit bounds the whole time: a round does not begin if it would end later, assuming that
	// it takes as long as the longest round so far. The first round always runs. 0 is no limit.
	Limit time.Duration
	report.Output
}

// Flags adds the flags. There is one for Limit only if that has a default.
func (s *Settings) Flags(fs *pflag.FlagSet, limit time.Duration) {
	fs.IntVar(&s.Rounds, "rounds", 5, "measure everything this `number` of times, in a new order each time, and report medians")
	fs.DurationVar(&s.Duration, "duration", 150*time.Millisecond, "`time` of one measurement; warming up takes about as long")
	if limit > 0 {
		fs.DurationVar(&s.Limit, "limit", limit, "begin no round that would end after this `time`")
	}
	s.Output.Flags(fs)
}

// Check reports a setting that is out of range.
func (s *Settings) Check() error {
	switch {
	case s.Rounds < 1 || s.Rounds > 1000:
		return fmt.Errorf("--rounds %d: it must be 1 to 1000", s.Rounds)
	case s.Duration < time.Millisecond || s.Duration > time.Minute:
		return fmt.Errorf("--duration %v: it must be 1ms to 1m", s.Duration)
	case s.Limit < 0:
		return fmt.Errorf("--limit %v: it must not be negative", s.Limit)
	}
	return s.Output.Check()
}
