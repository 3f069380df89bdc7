package sockettest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// flaw is a way to break the contract.
type flaw string

const (
	none           flaw = ""
	doubleUp       flaw = "Up comes twice"
	eventAfterEnd  flaw = "an event comes after the end"
	overtaking     flaw = "a message overtakes another"
	loseReleased   flaw = "a Released event is lost"
	repeatReleased flaw = "a Released event comes twice"
	loseMessage    flaw = "a message is lost"
	repeatMessage  flaw = "a message comes twice"
	damage         flaw = "a byte is changed"
	noBegin        flaw = "a piece has no Begin"
	wrongMID       flaw = "a piece has another's MID"
	aliasLent      flaw = "lent memory is read after Released"
	aliasCopied    flaw = "copied memory is read after Send"
	noWritable     flaw = "Writable does not come"
	hastyShutdown  flaw = "Shutdown drops what is queued"
	silentAbort    flaw = "Close does not abort"
)

// emitData is emit with the flaws of data.
func (a *fakeAssoc) emitData(e socket.Event) {
	every := func(n int) bool { return a.s.net.count%n == n-1 }
	switch f := a.s.net.flaw; {
	case f == loseMessage && every(7) && e.Begin && e.End:
		return
	case f == repeatMessage && every(7) && e.Begin && e.End:
		a.emit(e)
		e.Memory = new(fakeMemory)
	case f == damage && every(7):
		e.Payload[len(e.Payload)/2] ^= 1
	case f == noBegin && every(7):
		e.Begin = false
	case f == wrongMID && every(3) && !e.Begin:
		e.MID++
	}
	a.emit(e)
}

// emitReleased is emit with the flaws of Released events.
func (a *fakeAssoc) emitReleased(e socket.Event) {
	switch a.s.net.flaw {
	case loseReleased:
		return
	case repeatReleased:
		a.emit(e)
	}
	a.emit(e)
}

var fakeFeatures = Features{
	Multihoming: true, Interleaving: true, StreamReceive: true, StreamSchedule: true, ZeroCopy: true, Silence: true,
}

func TestFakeKeepsTheContract(t *testing.T) {
	net, f := newFakeNet(none), fakeFeatures
	f.Rebind = net.rebind
	Run(t, net.make, f)
}

// The suite notices each way to break the contract, and says what is wrong.
func TestSuiteNotices(t *testing.T) {
	const inVain = "waited in vain"
	for _, test := range []struct {
		flaw flaw
		// rule is the test that must notice, want a word of what it says.
		rule, want string
	}{
		{doubleUp, "Up comes at both ends, with the peer's address", "Up twice"},
		{eventAfterEnd, "Abort tells both ends which end and why", "PathDown after the event that ended"},
		{overtaking, "messages of a stream arrive in the order in which they were sent", "not the next of its stream"},
		{loseReleased, "a shutdown gives back what was lent, acknowledged", "messages still lent"},
		{repeatReleased, "lent messages come back acknowledged", "which is not lent"},
		{loseMessage, "messages of a stream arrive in the order in which they were sent", inVain},
		{repeatMessage, "messages of a stream arrive in the order in which they were sent", "messages received"},
		{damage, "messages of all sizes arrive intact", "or damaged"},
		{noBegin, "messages of all sizes arrive intact", "which has not begun"},
		{wrongMID, "messages of all sizes arrive intact", "within message"},
		{aliasLent, "what is acknowledged has arrived, even if it has not been read", "or damaged"},
		{aliasCopied, "copied messages may be overwritten when Send returns", "or damaged"},
		{noWritable, "a full send buffer is ErrWouldBlock, then Writable", inVain},
		{hastyShutdown, "Shutdown delivers all that was queued, then both ends are closed", "messages received"},
		{silentAbort, "Close aborts what there is for the peers", inVain},
	} {
		t.Run(string(test.flaw), func(t *testing.T) {
			r := new(recorder)
			s := &suite{TB: r, make: newFakeNet(test.flaw).make, features: fakeFeatures, patience: patience}
			if test.want == inVain || test.flaw == noBegin {
				s.patience = time.Second
			}
			r.check(s, find(t, test.rule))
			require.Contains(t, strings.Join(r.said, "\n"), test.want)
		})
	}
}

// A test that needs what an implementation lacks names it and tests nothing.
func TestSuiteNamesWhatIsLacking(t *testing.T) {
	for _, g := range groups() {
		for _, test := range g.tests {
			if len(test.needs) == 0 {
				continue
			}
			r := new(recorder)
			r.check(&suite{TB: r}, test) // which cannot make a socket
			require.Empty(t, r.said)
			require.Contains(t, strings.Join(r.logged, ""), string(test.needs[0]))
		}
	}
}

func find(t *testing.T, rule string) test {
	for _, g := range groups() {
		for _, test := range g.tests {
			if test.rule == rule {
				return test
			}
		}
	}
	require.Fail(t, "there is no such test", rule)
	return test{}
}

func BenchmarkFake(b *testing.B) { Benchmark(b, newFakeNet(none).make) }
