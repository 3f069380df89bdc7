package main

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/bench"
)

// settings are the values of the flags.
type settings struct {
	suite.Settings
	only []string // in the order of bench.Names
}

// parse reads the command line. The error is that of cli.Parse.
func parse(args []string) (settings, error) {
	var s settings
	var noPion bool
	fs := pflag.NewFlagSet(name, pflag.ContinueOnError)
	fs.StringSliceVar(&s.only, "only", bench.Names, "measure these `names` only")
	fs.BoolVar(&noPion, "no-pion", false, "leave out pion, which needs the Go toolchain")
	s.Settings.Flags(fs, 0)
	if err := cli.Parse(fs, args, about); err != nil {
		return s, err
	}
	for _, err := range []error{s.Settings.Check(), bench.CheckNames(s.only)} {
		if err != nil {
			return s, cli.UsageError{Err: err}
		}
	}
	chosen := func(name string) bool { return slices.Contains(s.only, name) && !(noPion && name == bench.Pion) }
	s.only = slices.DeleteFunc(slices.Clone(bench.Names), func(name string) bool { return !chosen(name) })
	if len(s.only) == 0 {
		return s, cli.Usagef("nothing is left to measure")
	}
	return s, nil
}

const about = `Measures the embedded SCTP engine beside bare UDP, TCP and pion/sctp. Each runs in two
processes over the loopback interface. Also measures what 2,000 idle associations cost. The
figures need two cores that no other program uses.

  engine  the engine with 64 messages to a call; messages of 64 KiB and more are sent
          without a copy
  rawudp  the limit: UDP datagrams in batches of four packets of 16 KiB (UDP_SEGMENT,
          UDP_GRO), with a checksum, a sequence number and a window. Short messages share
          a packet, long ones are cut. Nothing is retransmitted
  tcp     Go's net.TCPConn with TCP_NODELAY; short messages are written 64 KiB at a time
  pion    github.com/pion/sctp over UDP, with packets of up to 8 KiB, its maximum

The time of a throughput figure ends when the receiver's answer to the last message arrives.
All but tcp have a CRC32c in each packet; engine and rawudp are also measured without, as
*_nocrc.
`
