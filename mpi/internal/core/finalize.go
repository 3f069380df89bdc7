package core

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// partingTime bounds calls to the launcher when the process ends without Finalize.
const partingTime = 10 * time.Second

const worldContext matching.Context = 0

// Finalize ends this process's part in its job. All ranks call it, on the world
// communicator. It closes the transport in good order, and finalizes with the
// launcher.
func (c *View) Finalize() error {
	if err := c.usable(collective.Finalize.Op()); err != nil {
		return err
	}
	return c.finalize()
}

func (c *View) finalize() error {
	const op = "mpi.Finalize"
	p := c.process
	if c.context != worldContext {
		return mpierr.Invalid(op, rpi.ErrComm, "Finalize is called on the world communicator; free others with Free")
	}
	if n := p.windows.Load(); n > 0 {
		return mpierr.Invalid(op, rpi.ErrWin, "%s open: call Free before, as a rank in Finalize does nothing for the others", mpierr.Plural(int(n), "window"))
	}
	if n := p.sessions.open.Load(); n > 0 {
		return mpierr.Invalid(op, rpi.ErrSession, "%s open: finalize them before the world", mpierr.Plural(int(n), "session"))
	}
	if p.collectives.Busy() {
		return mpierr.Invalid(op, rpi.ErrComm, "a collective operation is under way in this process")
	}
	forgetting := p.forget(c.Comm)
	p.collectives.SetFinalizing(true)
	defer p.collectives.SetFinalizing(false)
	_ = p.leaving.wait(c.ctx, p) // if c.ctx ends, the following fails too
	o, err := c.begin(collective.Finalize, Blocking, noType)
	if err != nil {
		return err
	}
	if c.ctx.Err() == nil {
		p.transport.StopReceiving()
	}
	c.meet(o)
	err = o.Do(c.ctx)
	failed := errors.Is(err, rpi.ErrProcFailed) || errors.Is(err, rpi.ErrRevoked)
	if err != nil && !failed {
		return err
	}
	if p.left.Swap(true) {
		return mpierr.Invalid(op, rpi.ErrClosed, "the process has left its job")
	}
	p.finalized.Store(true)
	before := p.transport.Pending()
	parting := p.part(c.ctx)
	after := p.transport.Pending() // with what was still on the way
	if failed {
		return errors.Join(append(parting, c.unreceived(after.Undeliverable, after.MoreUndeliverable))...)
	}
	if after.Messages() < before.Messages() {
		after = before
	}
	errs := append([]error{forgetting, p.leaving.err(), c.unfinished(before)}, parting...)
	return errors.Join(append(errs, c.unreceived(after.Unreceived()), c.unmet(after))...)
}

// part closes the transport and finalizes with the launcher.
func (p *process) part(ctx context.Context) (errs []error) {
	ctx = context.WithoutCancel(ctx)
	defer p.waitsFor("Finalize", "for the other ranks to close their connections")()
	if p.statistics {
		p.tellStatistics(ctx)
	}
	for _, step := range []struct {
		what string
		run  func(context.Context) error
	}{
		{"closing transport " + p.transport.Name(), p.transport.Close},
		{"taking leave of the launcher", p.launcher.Finalize},
	} {
		bounded, cancel := context.WithTimeout(ctx, p.finalizeTimeout)
		if err := step.run(bounded); err != nil {
			if bounded.Err() != nil {
				err = fmt.Errorf("%w within %v (%s)", err, p.finalizeTimeout, rpi.EnvFinalizeTimeout)
			}
			errs = append(errs, mpierr.Wrap("mpi.Finalize", fmt.Errorf("%s: %w", step.what, err)))
		}
		cancel()
	}
	p.collectives.Left()
	p.leave()
	return errs
}

// unfinished is the error of the requests that have not completed, nil if there are
// none. Sends whose messages are on their way do so before the transport is closed.
func (c *Comm) unfinished(s rpi.Snapshot) error {
	var open []string
	for _, o := range append(s.Waits, s.Open...) {
		if o.Op == rpi.OpSend && o.Stage == rpi.Moving {
			continue
		}
		open = append(open, c.describe(&rpi.Request{Op: o.Op, Context: o.Context, Peer: o.Peer, Tag: o.Tag}))
	}
	if len(open) == 0 {
		return nil
	}
	n := len(open) + s.MoreWaits + s.MoreOpen
	return mpierr.Invalid(collective.Finalize.Op(), rpi.ErrPending, "%s not complete: %s", mpierr.Plural(n, "request"), listed(open))
}

// unreceived is the error of messages that were never received, nil if there
// are none. more counts those that are not in the list.
func (c *Comm) unreceived(lost []rpi.Unexpected, more int) error {
	var messages []string
	n := more
	for _, u := range lost {
		if u.Context&collective.Messages != 0 {
			continue
		}
		text := fmt.Sprintf("%s from %s, tag %d", mpierr.Plural(u.Messages, "message"), c.name(u.Source), u.Tag)
		if u.Context != c.context {
			text += ", on another communicator"
		}
		messages = append(messages, text)
		n += u.Messages
	}
	switch {
	case len(messages) == 0:
		return nil
	case n == 1:
		return mpierr.Invalid(collective.Finalize.Op(), rpi.ErrOther, "%s, was never received", messages[0])
	}
	return mpierr.Invalid(collective.Finalize.Op(), rpi.ErrOther, "%s, were never received", listed(messages))
}

// unmet is the error of what ranks have sent in collective calls that this rank
// has not made, nil if there is nothing.
func (c *Comm) unmet(s rpi.Snapshot) error {
	for _, u := range s.Unexpected {
		if u.Context&collective.Messages != 0 && !collective.IsAlarm(u.Type) {
			return mpierr.Invalid(collective.Finalize.Op(), rpi.ErrOther, "%s called %v, and this rank received nothing of it: "+
				"all ranks must call the same collective operations in the same order, with the same root", c.name(u.Source), collective.RoutineOf(u.Type)).
				About(c.rankOf(u.Source))
		}
	}
	return nil
}

// listed names the first few things.
func listed(things []string) string {
	const named = 8
	if more := len(things) - named; more > 0 {
		things = append(things[:named:named], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(things, "; ")
}
