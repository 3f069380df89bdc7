package monitor

import "errors"

// Flow says whether something can be handed to the network now, on a connection or to a peer. The transport's lock guards it.
type Flow struct {
	// sending: a goroutine hands something over. Others leave theirs to it.
	sending bool
	// blocked: the network takes no more until it says so. again: it has said so while a goroutine was sending, so that what
	// that one finds may be out of date.
	blocked, again bool
}

// Free reports whether a goroutine can begin to hand something over.
func (f *Flow) Free() bool { return !f.sending && !f.blocked }

// Sending reports whether a goroutine hands something over.
func (f *Flow) Sending() bool { return f.sending }

// Begin begins to hand something over. The flow is free.
func (f *Flow) Begin() { f.sending, f.again = true, false }

// End ends it. full: the network could not take all, and will say when it takes more.
func (f *Flow) End(full bool) {
	f.sending = false
	f.blocked = full && !f.again
}

// EndBy is End, by what the network has returned: full is the error for that it could not take all. It reports whether the error is another
// one. Then the network is broken, or about to say so, and the flow is blocked.
func (f *Flow) EndBy(err, full error) (broken bool) {
	switch {
	case err == nil:
		f.End(false)
	case errors.Is(err, full):
		f.End(true)
	default:
		f.Block()
		return true
	}
	return false
}

// Block ends it too: the network takes nothing until it says so, whatever it has said before.
func (f *Flow) Block() { f.sending, f.blocked = false, true }

// Resumed reports whether the network has said that it takes more since Begin.
func (f *Flow) Resumed() bool { return f.again }

// Writable notes that the network takes more, and reports whether that was waited for.
func (f *Flow) Writable() (resumed bool) {
	resumed = f.blocked
	f.blocked, f.again = false, true
	return resumed
}
