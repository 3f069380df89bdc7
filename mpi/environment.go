package mpi

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// variables are the environment variables that Init reads. An empty one
// counts as not set.
var variables = []struct {
	name string
	set  func(s *settings, value string) error
}{
	{rpi.EnvTransport, (*settings).setTransport},
	{rpi.EnvEagerLimit, inBytes((*settings).setEagerLimit)},
	{rpi.EnvUnexpectedLimit, inBytes((*settings).setUnexpectedLimit)},
	{rpi.EnvConnect, (*settings).setConnect},
	{rpi.EnvConnectTimeout, inTime((*settings).setConnectTimeout)},
	{rpi.EnvPeerTimeout, inTime((*settings).setPeerTimeout)},
	{rpi.EnvFinalizeTimeout, inTime((*settings).setFinalizeTimeout)},
	{rpi.EnvInterface, (*settings).setInterface},
	{rpi.EnvPortRange, parsePortRange},
	{rpi.EnvProgress, parseProgress},
	{rpi.EnvSpin, parseSpin},
	{rpi.EnvJobToken, parseJobToken},
	{rpi.EnvSharedMemory, (*settings).setSharedMemory},
	{rpi.EnvDebug, parseDebug},
}

// newSettings takes the defaults, the environment, and the options, in the
// order of rising precedence.
func newSettings(op string, getenv func(string) string, options []Option) (*settings, error) {
	s := &settings{
		eager:           rpi.DefaultEagerLimit,
		unexpected:      rpi.DefaultUnexpectedLimit,
		connectTimeout:  rpi.DefaultConnectTimeout,
		peerTimeout:     rpi.DefaultPeerTimeout,
		finalizeTimeout: defaultFinalizeTimeout,
	}
	if err := s.setTransport(DefaultTransport); err != nil {
		return nil, invalid(op, ErrUnsupported, "%v", err)
	}
	for _, v := range variables {
		if value := getenv(v.name); value != "" {
			if err := v.set(s, value); err != nil {
				return nil, invalid(op, ErrArg, "%s=%s: %v", v.name, shown(v.name, value), err)
			}
		}
	}
	for _, option := range options {
		if option == nil {
			return nil, invalid(op, ErrArg, "an option is nil")
		}
		if err := option(s); err != nil {
			return nil, invalid(op, ErrArg, "%v", err)
		}
	}
	return s, nil
}

// warnOnce makes a process warn only once.
var warnOnce sync.Once

// warnMistaken says which variables of the environment have no meaning, unless mpirun
// has said it.
func warnMistaken(w io.Writer, environment []string) {
	for _, text := range rpi.MistakenVariables(environment) {
		fmt.Fprintln(w, "mpi: "+text)
	}
}

// shown is the value of a variable as errors may show it: the token is secret.
func shown(name, value string) string {
	if name == rpi.EnvJobToken {
		return "(secret)"
	}
	return value
}

func inBytes(set func(*settings, int) error) func(*settings, string) error {
	return func(s *settings, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil {
			return errors.New("it must be a number of bytes")
		}
		return set(s, n)
	}
}

func inTime(set func(*settings, time.Duration) error) func(*settings, string) error {
	return func(s *settings, value string) error {
		d, err := time.ParseDuration(value)
		if err != nil {
			return errors.New("it must be a duration, such as 10s or 1m30s")
		}
		return set(s, d)
	}
}

func parsePortRange(s *settings, value string) error {
	low, high, err := rpi.ParsePortRange(value)
	if err != nil {
		return err
	}
	return s.setPortRange(low, high)
}

func parseProgress(s *settings, value string) error {
	mode, err := rpi.ParseProgress(value)
	s.progress = mode
	return err
}

func parseSpin(s *settings, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil {
		return errors.New("it must be a duration, such as 20us, or 0")
	}
	return s.setSpin(d)
}

func parseDebug(s *settings, value string) error {
	s.debug = value == "1"
	if value != "0" && value != "1" {
		return errors.New("it must be 0 or 1")
	}
	return nil
}

// debugTo returns rpi.Config.Debug of a rank, which writes a line at a time.
func (s *settings) debugTo(w io.Writer, rank int) func(format string, args ...any) {
	if !s.debug {
		return nil
	}
	return func(format string, args ...any) {
		fmt.Fprintf(w, "mpi: rank %d: %s\n", rank, fmt.Sprintf(format, args...))
	}
}

// minToken is what a token must have, in bytes, so that it cannot be guessed.
const minToken = 16

func parseJobToken(s *settings, value string) error {
	token, err := hex.DecodeString(value)
	if err != nil || len(token) < minToken {
		return fmt.Errorf("it must be %d hexadecimal digits at least", 2*minToken)
	}
	s.token = token
	return nil
}
