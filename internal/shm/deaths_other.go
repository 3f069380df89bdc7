//go:build !linux

package shm

import "errors"

// deaths is of no use where processes do not share memory.
type deaths struct{}

func newDeaths() (*deaths, error)  { return nil, errors.ErrUnsupported }
func (*deaths) add(int, int) error { return errors.ErrUnsupported }
func (*deaths) run(func(rank int)) {}
func (*deaths) close()             {}
