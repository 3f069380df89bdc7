package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// assertion is what a program promises of its use of a communicator (MPI 4.1, section 7.4.4).
type assertion uint32

const (
	noAnyTag assertion = 1 << iota
	noAnySource
	exactLength
	allowOvertaking
)

var assertions = map[string]assertion{
	"mpi_assert_no_any_tag":       noAnyTag,
	"mpi_assert_no_any_source":    noAnySource,
	"mpi_assert_exact_length":     exactLength,
	"mpi_assert_allow_overtaking": allowOvertaking,
}

// unordered are the assertions with which messages need no order but that of their tag: nothing could tell if one
// overtook another, or the program does not mind.
const unordered = noAnyTag | allowOvertaking

// SetHints takes the hints that are known. Others are ignored. It waits for all ranks. So if they want their messages in order again,
// none sends any before all receivers look at it. It waits whatever the hints are, as a rank whose hints are wrong cannot know what
// the others pass. If it fails the hints are as before.
func (c *View) SetHints(hints *info.Info) error {
	o, err := c.begin(collective.SetInfo, Blocking, noType)
	if err != nil {
		return err
	}
	before := c.hints()
	if set, err := accepted(hints); err != nil {
		o.Require(mpierr.Wrap(o.Op(), err))
	} else {
		merged := before.Dup()
		for _, key := range set.Keys() {
			value, _ := set.Get(key)
			_ = merged.Set(o.Op(), key, value) // it is legal in set
		}
		c.hint(merged)
	}
	c.meet(o)
	if err := o.Do(c.ctx); err != nil {
		c.hint(before)
		return err
	}
	return nil
}

// Hints returns a copy of the hints in use.
func (c *View) Hints() (*info.Info, error) {
	if err := c.usable("mpi.Comm.Info"); err != nil {
		return nil, err
	}
	return c.hints(), nil
}

func (c *Comm) hints() *info.Info {
	c.object.hintsMu.Lock()
	defer c.object.hintsMu.Unlock()
	return c.object.hints.Dup()
}

// hint sets the hints in use.
func (c *Comm) hint(hints *info.Info) {
	var asserted assertion
	for key, a := range assertions {
		if value, _ := hints.Get(key); value == "true" {
			asserted |= a
		}
	}
	c.object.hintsMu.Lock()
	c.object.hints = hints
	c.object.assertions.Store(uint32(asserted))
	c.object.hintsMu.Unlock()
	if c.state.Load() == ready {
		c.process.transport.AllowOvertaking(c.context, asserted&unordered != 0)
	}
}

// asserts reports whether the program has promised something.
func (c *Comm) asserts(a assertion) bool { return assertion(c.object.assertions.Load())&a != 0 }

// acceptedFor is accepted for an operation of this name.
func acceptedFor(op string, hints *info.Info) (*info.Info, error) {
	known, err := accepted(hints)
	if err != nil {
		return nil, mpierr.Wrap(op, err)
	}
	return known, nil
}

// accepted returns those hints that are known.
func accepted(hints *info.Info) (*info.Info, error) {
	const op = "mpi.Info"
	known := new(info.Info)
	for _, key := range hints.Keys() {
		if _, ok := assertions[key]; !ok {
			continue
		}
		value, _ := hints.Get(key)
		if value != "true" && value != "false" {
			return nil, mpierr.Invalid(op, rpi.ErrArg, "%s is %q; it must be true or false", key, value)
		}
		_ = known.Set(op, key, value) // it is legal in hints
	}
	return known, nil
}
