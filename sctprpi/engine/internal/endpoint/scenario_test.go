package endpoint

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestScenarios plays the scripts in testdata/scenarios. A script is the peer of an Endpoint, chunk
// by chunk and in virtual time, and says what the Endpoint sends and reports. Its lines:
//
//	# RFC 9260, section 5.1       a comment
//	given RTOMax=3s               a new Endpoint with these options of socket.Config
//	given established RTOMax=3s   the same, and the peer has set up an association
//	when user ASSOCIATE           the user calls ASSOCIATE, SEND, SHUTDOWN or ABORT (RFC 9260, section 11.1)
//	when peer COOKIE ACK          the peer sends a packet; "when stranger" sends it from another address
//	when peer restarts            the peer has lost its state: its next INIT has another tag and TSN
//	when peer is gone             the peer does not answer probes for the path MTU any more
//	when 3s passes                what is sent or reported in this time comes at its end
//	when up to 3s passes          time passes until something is sent or reported
//	then COOKIE ECHO, DATA TSN=1  the Endpoint has sent this packet
//	then user Data data=hello     the user has polled this event (a socket.Kind), or its call has this error
//	then state SHUTDOWN-SENT      the association is in this state
//	then no association           nothing is left of any association
//
// All that is sent and reported must be expected. A packet is its chunks, by their names in the RFCs,
// with commas between them. Fields that are not given are right in the peer's chunks, and any in
// those of this end. What to know of fields:
//
//	TSN= ack=     are counted from 1, the first TSN of the sender: ack=0 acknowledges nothing
//	gap=2-3       a gap ack block, as distances from the cumulative TSN
//	cookie=1      the cookie of the first INIT ACK, not of the last
//	vtag=         the packet's verification tag, where it is not 0 of an INIT or the receiver's: peer, ours,
//	              old (the receiver's before a restart) or a number
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			s := &script{t: t, file: file}
			for line := range strings.Lines(string(text)) {
				s.line++
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
					s.play(line)
				}
			}
			s.over("the end")
		})
	}
}

// script is one of them, at a line of it.
type script struct {
	*rig
	t    *testing.T
	file string
	line int
	// What the last "when" has brought and no "then" has expected yet.
	packets, reports []string
	// Of each INIT ACK, and the chunk that answers the last HEARTBEAT.
	cookies [][]byte
	inits   []wire.Init
	beatAck []byte
	oldPeer wire.VerificationTag // before the peer's last restart
}

// fail ends a script that expects one thing when others have come.
func (s *script) fail(expected string, came ...string) {
	s.t.Helper()
	all := cmp.Or(strings.Join(came, "\n         "), "nothing")
	s.t.Fatalf("%s:%d:\nexpected %s\ncame     %s", s.file, s.line, expected, all)
}

func (s *script) play(text string) {
	s.t.Helper()
	word, rest, _ := strings.Cut(text, " ")
	who, what, _ := strings.Cut(rest, " ")
	switch word {
	case "given":
		s.over(text)
		s.given(strings.Fields(rest))
	case "when":
		s.over(text)
		_, fields := cutFields(rest)
		for key := range fields {
			if !slices.Contains(keys, key) {
				s.fail("one of "+strings.Join(keys, ", "), key)
			}
		}
		s.when(rest, who, what)
	case "then":
		s.then(rest, who, what)
	default:
		s.fail("given, when or then", word)
	}
}

// over demands that all that has come was expected.
func (s *script) over(before string) {
	s.t.Helper()
	if came := append(s.packets, s.reports...); len(came) > 0 {
		s.fail("nothing more before "+before, came...)
	}
}

func (s *script) given(words []string) {
	var c socket.Config
	for _, word := range words {
		if key, value, set := strings.Cut(word, "="); set {
			d, err := time.ParseDuration(value)
			if err != nil {
				d = time.Duration(s.number(value))
			}
			option := reflect.ValueOf(&c).Elem().FieldByName(key)
			if !option.IsValid() {
				s.fail("an option of socket.Config", key)
			}
			option.SetInt(int64(d))
		}
	}
	*s = script{rig: newRig(s.t, c), t: s.t, file: s.file, line: s.line}
	if slices.Contains(words, "established") {
		s.send(s.from, "INIT")
		s.send(s.from, "COOKIE ECHO")
		s.packets, s.reports = nil, nil
	}
}

func (s *script) when(text, who, what string) {
	switch {
	case text == "peer restarts":
		s.oldPeer = s.offer.Tag
		s.forget()
	case text == "peer is gone":
		s.deaf = true
	case who == "peer":
		s.send(s.from, what)
	case who == "stranger":
		s.send(stranger, what)
	case who == "user":
		s.call(what)
	default:
		s.pass(strings.Fields(text))
	}
}

// pass lets time pass.
func (s *script) pass(words []string) {
	if len(words) < 2 {
		s.fail("a user, a peer or a time", words...)
	}
	first := words[0] == "up" // time that ends when something comes
	d, err := time.ParseDuration(words[len(words)-2])
	if err != nil {
		s.fail("a time that passes", words...)
	}
	start, end := s.now, s.now+d
	for at, runs := s.Deadline(); runs && at <= end; at, runs = s.Deadline() {
		s.now = max(s.now, at)
		s.Expire(s.now)
		early := ""
		if s.now < end && !first {
			early = fmt.Sprintf("%v too early: ", end-s.now)
		}
		if s.note(s.run(), early); first && len(s.packets)+len(s.reports) > 0 {
			end = s.now
		}
	}
	if s.now = end; first && s.now == start+d {
		s.fail("something before " + d.String())
	}
}

// call is a call of the user's.
func (s *script) call(what string) {
	name, fields := cutFields(what)
	var err error
	switch name {
	case "ASSOCIATE":
		s.assoc, err = s.Connect(s.now, socket.Addr{IP: s.from.Addr(), Port: s.port, UDP: s.from.Port()})
	case "SEND":
		m := text(socket.StreamID(s.number(fields["stream"])), cmp.Or(fields["data"], "x"))
		if owner, lent := fields["owner"]; lent {
			m.ZeroCopy, m.Owner = true, owner
		}
		_, err = s.Send(s.now, s.assoc, []socket.Message{m})
	case "SHUTDOWN":
		err = s.Shutdown(s.now, s.assoc)
	case "ABORT":
		err = s.Abort(s.assoc, "")
	default:
		s.fail("a call of the user's", name)
	}
	if err != nil {
		s.reports = append(s.reports, "user "+err.Error())
	}
	s.note(s.run(), "")
}

func (s *script) then(text, who, what string) {
	s.t.Helper()
	came := &s.packets
	switch {
	case text == "no association", who == "state":
		state := "no association"
		if en := s.byID[s.assoc]; en != nil {
			state = "state " + en.State().String()
		}
		if state != text {
			s.fail(text, state)
		}
		if who == "no" {
			s.gone()
		}
		return
	case who == "user":
		came = &s.reports
	}
	if len(*came) == 0 || !fits(text, (*came)[0]) {
		s.fail(text, append(s.packets, s.reports...)...)
	}
	*came = (*came)[1:]
}

// fits reports whether a packet or event is what is expected: all fields that are given, and those
// that must be given if there are.
func fits(expected, came string) bool {
	want, got := strings.Split(expected, ", "), strings.Split(came, ", ")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		name, fields := cutFields(want[i])
		came, values := cutFields(got[i])
		if name != came || fields["vtag"] != values["vtag"] || fields["T"] != values["T"] {
			return false
		}
		for key, value := range fields {
			if values[key] != value {
				return false
			}
		}
	}
	return true
}

// cutFields returns the name of a chunk and its fields.
func cutFields(text string) (name string, fields map[string]string) {
	fields = make(map[string]string)
	for word := range strings.FieldsSeq(text) {
		if key, value, ok := strings.Cut(word, "="); ok {
			fields[key] = value
		} else {
			name = strings.TrimSpace(name + " " + word)
		}
	}
	return name, fields
}

func (s *script) number(text string) int {
	n, err := strconv.Atoi(cmp.Or(text, "0"))
	if err != nil {
		s.fail("a number", text)
	}
	return n
}
