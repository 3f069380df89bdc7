package mpi

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// variables are the environment variables that Init reads. An empty one
// counts as not set.
var variables = []struct {
	name string
	set  func(s *settings, value string) error
}{
	{"SCTPMPI_TRANSPORT", (*settings).setTransport},
	{"SCTPMPI_EAGER_LIMIT", inBytes((*settings).setEagerLimit)},
	{"SCTPMPI_UNEXPECTED_LIMIT", inBytes((*settings).setUnexpectedLimit)},
	{"SCTPMPI_CONNECT", (*settings).setConnect},
	{"SCTPMPI_CONNECT_TIMEOUT", parseConnectTimeout},
	{"SCTPMPI_INTERFACE", (*settings).setInterface},
	{"SCTPMPI_PORT_RANGE", parsePortRange},
	{"SCTPMPI_PROGRESS", parseProgress},
	{"SCTPMPI_SPIN", parseSpin},
	{"SCTPMPI_JOB_TOKEN", parseJobToken},
}

// newSettings takes the defaults, the environment, and the options, in the
// order of rising precedence.
func newSettings(op string, getenv func(string) string, options []Option) (*settings, error) {
	s := &settings{
		eager:          rpi.DefaultEagerLimit,
		unexpected:     rpi.DefaultUnexpectedLimit,
		connectTimeout: rpi.DefaultConnectTimeout,
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

// shown is the value of a variable as errors may show it: the token is secret.
func shown(name, value string) string {
	if name == "SCTPMPI_JOB_TOKEN" {
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

func parseConnectTimeout(s *settings, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil {
		return errors.New("it must be a duration, such as 10s or 1m30s")
	}
	return s.setConnectTimeout(d)
}

func parsePortRange(s *settings, value string) error {
	low, high, _ := strings.Cut(value, "-")
	from, err1 := strconv.ParseUint(low, 10, 16)
	to, err2 := strconv.ParseUint(high, 10, 16)
	if err1 != nil || err2 != nil {
		return errors.New("it must be low-high, from 1 to 65535, such as 7000-7063")
	}
	return s.setPortRange(uint16(from), uint16(to))
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
