package startup

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// variables are the environment variables that Init reads. An empty one
// counts as not set.
var variables = []struct {
	name string
	set  func(s *Settings, value string) error
}{
	{rpi.EnvTransport, (*Settings).SetTransport},
	{rpi.EnvEagerLimit, inBytes((*Settings).SetEagerLimit)},
	{rpi.EnvUnexpectedLimit, inBytes((*Settings).SetUnexpectedLimit)},
	{rpi.EnvConnect, (*Settings).SetConnect},
	{rpi.EnvConnectTimeout, inTime((*Settings).SetConnectTimeout)},
	{rpi.EnvPeerTimeout, inTime((*Settings).SetPeerTimeout)},
	{rpi.EnvFinalizeTimeout, inTime((*Settings).SetFinalizeTimeout)},
	{rpi.EnvInterface, (*Settings).SetInterface},
	{rpi.EnvPublish, (*Settings).SetPublish},
	{rpi.EnvPortRange, parsePortRange},
	{rpi.EnvProgress, (*Settings).SetProgress},
	{rpi.EnvSpin, parseSpin},
	{rpi.EnvJobToken, parseJobToken},
	{rpi.EnvEncrypt, parseEncrypt},
	{rpi.EnvSharedMemory, (*Settings).SetSharedMemory},
	{rpi.EnvReproducible, parseSwitch(func(s *Settings, on bool) { s.Regroup = !on })},
	{rpi.EnvDebug, parseSwitch(func(s *Settings, on bool) { s.Debug = on })},
	{rpi.EnvCheck, func(s *Settings, value string) (err error) { s.Check, err = ParseCheck(value); return err }},
	{rpi.EnvProfile, parseProfile},
	{rpi.EnvTrace, parseTrace},
	{rpi.EnvStatistics, parseSwitch(func(s *Settings, on bool) { s.Statistics = on })},
}

const defaultFinalizeTimeout = 60 * time.Second

// DefaultTransport is the name that stands for the transport of a program that chooses none.
const DefaultTransport = "sctp"

// NewSettings takes the defaults and the environment, which has precedence. find
// is Settings.Find.
func NewSettings(op string, getenv func(string) string, find func(name string) (string, rpi.Open, error)) (*Settings, error) {
	s := &Settings{
		Find:            find,
		EagerLimit:      rpi.DefaultEagerLimit,
		UnexpectedLimit: rpi.DefaultUnexpectedLimit,
		ConnectTimeout:  rpi.DefaultConnectTimeout,
		PeerTimeout:     rpi.DefaultPeerTimeout,
		FinalizeTimeout: defaultFinalizeTimeout,
	}
	if err := s.SetTransport(DefaultTransport); err != nil {
		return nil, mpierr.Invalid(op, rpi.ErrUnsupported, "%v", err)
	}
	for _, v := range variables {
		if value := getenv(v.name); value != "" {
			if err := v.set(s, value); err != nil {
				return nil, mpierr.Invalid(op, rpi.ErrArg, "%s=%s: %v", v.name, shown(v.name, value), err)
			}
		}
	}
	return s, nil
}

// shown is the value of a variable as errors may show it: the token is secret.
func shown(name, value string) string {
	if name == rpi.EnvJobToken {
		return "(secret)"
	}
	return value
}

// parseTrace takes the name of a file. In a program that has other rights than its user, as a setuid one, the variable counts for nothing: it
// would have the program replace files that its user must not.
func parseTrace(s *Settings, value string) error {
	if !rpi.Privileged() {
		s.Trace = value
	}
	return nil
}

// parseProfile takes the name of a folder, as parseTrace that of a file.
func parseProfile(s *Settings, value string) error {
	if !rpi.Privileged() {
		s.Profile = value
	}
	return nil
}

func inBytes(set func(*Settings, int) error) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil {
			return errors.New("it must be a number of bytes")
		}
		return set(s, n)
	}
}

func inTime(set func(*Settings, time.Duration) error) func(*Settings, string) error {
	return func(s *Settings, value string) error {
		d, err := time.ParseDuration(value)
		if err != nil {
			return errors.New("it must be a duration, such as 10s or 1m30s")
		}
		return set(s, d)
	}
}

func parsePortRange(s *Settings, value string) error {
	low, high, err := rpi.ParsePortRange(value)
	if err != nil {
		return err
	}
	return s.SetPortRange(low, high)
}

func parseSpin(s *Settings, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil {
		return errors.New("it must be a duration, such as 20us, or 0")
	}
	return s.SetSpin(d)
}

// parseSwitch parses what is on or off.
func parseSwitch(set func(s *Settings, on bool)) func(s *Settings, value string) error {
	return func(s *Settings, value string) error {
		if value != "0" && value != "1" {
			return errors.New("it must be 0 or 1")
		}
		set(s, value == "1")
		return nil
	}
}

// minToken is what a token must have, in bytes, so that it cannot be guessed.
const minToken = 16

func parseJobToken(s *Settings, value string) error {
	token, err := hex.DecodeString(value)
	if err != nil || len(token) < minToken {
		return fmt.Errorf("it must be %d hexadecimal digits at least", 2*minToken)
	}
	s.Token = token
	return nil
}

func parseEncrypt(s *Settings, value string) (err error) {
	s.Encrypt, err = seal.ParsePolicy(value)
	return err
}
