package endpoint

import (
	"maps"
	"slices"
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// at1 has a step happen at the second end.
const at1 = 0x80

// scripts returns scripts of things that do happen, and for each chunk that is received
// meanwhile one that has it forged: at the end, and with a field of it changed.
func scripts(f *testing.F) (all [][]byte) {
	transfer := []byte{
		stepConnect, stepExchange,
		stepSend, 20, 1, 3, stepExchange, stepSend | at1, 100, 65, 5, stepExchange, stepWait, 10,
	}
	stories := [][]byte{
		transfer,
		append(transfer[:len(transfer):len(transfer)], stepShutdown, stepExchange),
		append(transfer[:len(transfer):len(transfer)], stepAbort|at1, stepExchange),
		{stepConnect, stepConnect | at1, stepReceive, 0, stepExchange, stepSend, 250, 100, 3, stepExchange},
		// A packet lost, and one that comes twice.
		{stepConnect, stepExchange, stepSend, 200, 65, 2, stepLose | at1, 1, stepRepeat | at1, 2, stepExchange, stepWait, 16, stepExchange},
		// A receiver that does not read, and a peer that restarts.
		{
			stepConnect, stepExchange, stepRead | at1, stepSend, 200, 65, 5, stepExchange, stepWait, 12, stepExchange,
			stepAbort, stepLose | at1, 0, stepConnect, stepExchange, stepSend, 9, 0, 1, stepExchange, stepRead | at1, stepExchange,
		},
		// Two streams, one of them on hold, and a shutdown with data outstanding.
		{
			stepConnect, stepExchange, stepRead | at1, stepReadStream | at1, 1, stepSend, 30, 0, 8, stepExchange, stepRead | at1,
			stepShutdown, stepReceive | at1, 0, stepWait, 14, stepTooBig, 20, stepReadStream | at1, 1, stepExchange,
		},
		// The peer's host reports the port unreachable while the peer is there, and in the end it
		// is not.
		{
			stepConnect, stepUnreachable, stepExchange, stepSend, 50, 65, 9, stepUnreachable, stepExchange, stepWait, 6, stepUnreachable,
			stepWait, 6, stepUnreachable, stepWait, 6, stepUnreachable, stepWait, 6, stepShutdown, stepUnreachable, stepWait, 10,
		},
		// All is marked for a while.
		{stepConnect, stepExchange, stepMark | at1, stepSend, 200, 65, 5, stepExchange, stepSend, 200, 65, 9, stepExchange, stepMark | at1, stepWait, 12, stepExchange},
		// Everything is lost.
		{stepConnect, stepExchange, stepSend, 3, 65, 1, stepLose | at1, 0, stepWait, 16, stepLose | at1, 0, stepWait, 16, stepWait, 16},
	}
	for _, options := range []byte{0, 1, 2, 4, 16, 18, 4 + 16, 32, 8 + 64 + 128} {
		for _, story := range stories {
			all = append(all, append([]byte{options}, story...))
		}
	}
	for _, options := range []byte{0, 2, 4, 4 + 16} {
		all = append(all, restarts(options), inPart(options), restartInPart(options))
		all = append(all, sacks(options)...)
	}
	for _, options := range []byte{0, 2} {
		script := append([]byte{options}, transfer...)
		all = append(all, forgeries(f, script)...)
		chunks := (&rig{t: f}).everyChunk()
		for _, name := range slices.Sorted(maps.Keys(chunks)) {
			if c := chunks[name]; len(c) < 255 {
				forged := append([]byte{stepForge, c[0], c[1], byte(len(c) - 4)}, c[4:]...)
				all = append(all, append(slices.Clone(script), append(forged, stepExchange, stepWait, 10)...))
			}
		}
	}
	return all
}

// forgeries returns a script, prolonged by each chunk that is received in it.
func forgeries(f *testing.F, script []byte) (all [][]byte) {
	s := newStage(f, script)
	s.heard = func(a *actor, b []byte) {
		p, err := wire.ParsePacket(b)
		if err != nil {
			return
		}
		for c := range p.Chunks() {
			value := c.Value()
			if len(value) > 255 {
				value = value[:255]
			}
			step := byte(stepForge)
			if a == s.actors[1] {
				step |= at1
			}
			forged := append([]byte{step, byte(c.Type), byte(c.Flags), byte(len(value))}, value...)
			if c.Type == wire.TypeData || c.Type == wire.TypeIData || c.Type == wire.TypeSACK || c.Type == wire.TypeECNE || c.Type == wire.TypeCWR {
				copy(forged[4:], []byte{0, 0, 0, 1}) // forge makes it fit
			}
			all = append(all, append(slices.Clone(script), append(forged, stepExchange, stepWait, 16)...))
		}
	}
	s.play()
	return all
}

// restarts returns a script in which a peer fills the receive buffer with small messages and
// restarts, again and again, while the program does not read.
func restarts(options byte) []byte {
	script := []byte{options, stepRead | at1}
	for range 10 {
		script = append(script, stepConnect, stepExchange)
		for range 8 {
			script = append(script, stepSend, 0, 0, 31)
		}
		script = append(script, stepExchange, stepAbort, stepLose|at1, 0)
	}
	return script
}

// inPart returns one that ends when each end has something of the other's: one some of a
// message, the other messages that have not been acknowledged.
func inPart(options byte) []byte {
	return []byte{
		options, stepConnect, stepExchange, stepSend, 250, 65, 0, stepReceive | at1, 1, stepReceive | at1, 2, stepSend | at1, 9, 65, 3,
	}
}

// restartInPart returns one in which a peer restarts then.
func restartInPart(options byte) []byte {
	script := append(inPart(options), stepAbort)
	for range 20 {
		script = append(script, stepLose|at1, 0)
	}
	return append(script, stepConnect, stepExchange, stepShutdown, stepExchange)
}

// sacks returns scripts that have SACK chunks forged while eight chunks are outstanding:
// with gaps at both ends of what has been sent, and beyond.
func sacks(options byte) (all [][]byte) {
	for _, cumulative := range []byte{0xF8, 0xFA, 0xFF, 0, 1} { // as far from the last TSN sent
		for _, gap := range [][2]byte{{0, 1}, {1, 1}, {2, 2}, {3, 2}, {4, 8}, {8, 8}, {9, 9}, {8, 9}, {6, 6}, {7, 7}} {
			script := []byte{
				options, stepConnect, stepExchange, stepSend, 2, 65, 0, stepExchange, stepSend, 50, 65, 9,
				stepForge, byte(wire.TypeSACK), 0, 16, 0xFF, 0xFF, 0xFF, cumulative, 0, 0, 64, 0, 0, 1, 0, 0, 0, gap[0], 0, gap[1],
			}
			if cumulative < 0x80 {
				copy(script[len(script)-16:], []byte{0, 0, 0})
			}
			all = append(all, append(script, stepSend, 9, 0, 1, stepExchange, stepWait, 16, stepExchange))
		}
	}
	return all
}
