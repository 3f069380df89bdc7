package core

import (
	"context"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Predefined is an attribute that every communicator has (MPI 4.1, sections 9.1.2 and 11.10).
type Predefined uint8

// The predefined attributes.
const (
	TagUB         Predefined = iota // the largest tag
	Host                            // ProcNull: no process is the host's
	IO                              // AnySource: every process can read and write files
	WtimeIsGlobal                   // 0: the clocks of processes differ
	UniverseSize                    // how many processes there can be
	LastUsedCode                    // the largest error class
	AppNum                          // which part of the job this process belongs to
)

// Predefined returns the value of a predefined attribute, and whether it has one.
func (c *View) Predefined(a Predefined) (value int, ok bool, err error) {
	if err := c.usable("mpi.Comm.Predefined"); err != nil {
		return 0, false, err
	}
	switch a {
	case TagUB:
		return MaxTag, true, nil
	case Host:
		return ProcNull, true, nil
	case IO:
		return AnySource, true, nil
	case WtimeIsGlobal:
		return 0, true, nil
	case UniverseSize:
		return c.process.size, true, nil
	case LastUsedCode:
		return rpi.LastClass, true, nil
	}
	number, err := c.process.appNum(c.ctx)
	if err != nil {
		err = mpierr.Because(err, "mpi.Comm.Predefined", rpi.ErrOther, "the launcher does not say the AppNum: %v", err)
	}
	return max(number, 0), number >= 0, err
}

// application is which part of the job a process belongs to.
type application struct {
	sync.Mutex
	number *int // nil: the launcher has not been asked
}

// appNum asks the launcher once, when the program first wants to know it.
func (p *process) appNum(ctx context.Context) (number int, err error) {
	p.application.Lock()
	defer p.application.Unlock()
	if p.application.number == nil {
		n, err := p.launcher.AppNum(ctx)
		if err != nil {
			return -1, err
		}
		p.application.number = &n
	}
	return *p.application.number, nil
}
