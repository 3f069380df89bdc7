package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/enginebench"
)

// engineSettings are what the command line of mpibench engine says.
type engineSettings struct {
	enginebench.Settings
	only   []string
	noPion bool
	json   bool
}

func (s *engineSettings) flags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("engine", pflag.ContinueOnError)
	fs.IntVar(&s.Rounds, "rounds", 5, "measure all of it so many times, of which the medians count")
	fs.DurationVar(&s.Duration, "duration", 150*time.Millisecond, "`time` that one measurement takes, after about as much of warming up")
	fs.StringSliceVar(&s.only, "only", enginebench.Names, "measure these `names` only")
	fs.BoolVar(&s.noPion, "no-pion", false, "leave out pion, which takes the Go toolchain to build")
	fs.BoolVar(&s.json, "json", false, "print one JSON object in place of the table")
	return fs
}

// parseEngine reads the flags of mpibench engine. The error is that of parse.
func parseEngine(args []string) (s engineSettings, err error) {
	if err := parse(s.flags(), args, aboutEngine); err != nil {
		return s, err
	}
	if err := s.Check(); err != nil {
		return s, usageError{err}
	}
	if s.only, err = enginebench.Select(s.only); err != nil {
		return s, usagef("--only: %w", err)
	}
	if s.noPion {
		s.only = without(s.only, enginebench.Pion)
	}
	if len(s.only) == 0 {
		return s, usagef("nothing is left to be measured")
	}
	return s, nil
}

func without(names []string, name string) []string {
	var rest []string
	for _, n := range names {
		if n != name {
			rest = append(rest, n)
		}
	}
	return rest
}

const aboutEngine = `The embedded SCTP engine beside bare UDP, TCP and pion/sctp, each in two processes over
the loopback interface, in turn; and what 2,000 idle associations cost. It wants two cores
that nothing else uses.

  engine  64 messages to a call; those of 64 KiB and more are lent, not copied
  rawudp  the limit: UDP by trains of four 16 KiB packets (UDP_SEGMENT, UDP_GRO), which
          short messages fill and long ones are fragmented into, with a checksum, a
          sequence number and a window, but nothing is sent again
  tcp     Go's net.TCPConn without delay; short messages are written 64 KiB at a time
  pion    github.com/pion/sctp over UDP with packets of up to 8 KiB, the most it takes

A throughput is what the receiver has got, up to its answer. All have a CRC32c in each
packet but tcp, engine and rawudp also without, as *_nocrc.
`
