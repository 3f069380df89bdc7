package tx

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// FuzzBBR tells a control of anything, in any order, by commands of ten bytes, and checks what it answers.
func FuzzBBR(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		seed := make([]byte, 1000)
		for i := range seed {
			seed[i] = byte(rng.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, commands []byte) {
		chunk := 64
		b := newBBR(chunk, rand.New(rand.NewPCG(1, 2)), bbrJudge(len(commands)%2))
		now, total := time.Duration(0), uint64(0)
		for ; len(commands) >= 10; commands = commands[10:] {
			what, flags := commands[0], commands[1]
			x := int(binary.LittleEndian.Uint32(commands[2:]) & (1<<30 - 1))
			y := int(binary.LittleEndian.Uint32(commands[6:])) >> (flags % 32)
			now += time.Duration(y) * time.Microsecond
			switch what % 8 {
			case 0, 1, 2:
				total += uint64(y)
				b.Delivered(Delivery{
					Now: now, Rate: float64(x) * float64(flags%3), Volume: y, Limited: flags&8 > 0, Acked: y, Total: total,
					Prior: total - min(total, uint64(x)), Sent: x, Lost: y % (1 + x), Flight: y, Peak: x,
					SRTT: time.Duration(x), RTT: time.Duration(x) * time.Duration(flags%2), Recovery: flags&16 > 0, Repairing: flags&32 > 0,
				})
			case 3:
				b.Missing(Loss{Now: now, TSN: wire.TSN(y), Size: chunk, Sent: x + chunk, Lost: y%(1+x) + chunk, Total: total, Limited: flags&8 > 0})
			case 4:
				b.Lost(now)
			case 5:
				b.Timeout(now)
			case 6:
				b.Judged(now, flags&8 > 0)
			case 7:
				b.Resumed(now)
				b.Idle(x)
				if flags&8 > 0 {
					chunk = smallestChunk + x%largestChunk
					b.SetMaxChunk(chunk)
				}
			}
			rate, quantum := b.Pacing()
			if b.Window() < chunk || b.Window() > maxWindow+chunk || quantum < 2*chunk || !(rate > 0) || math.IsInf(rate, 1) ||
				b.state > bbrProbingRTT || b.model.highInflight <= 0 || b.model.lowInflight < 0 || !(b.model.lowBW >= 0) {
				t.Fatalf("after command %d: window %d, rate %v, quantum %d, %+v", what%8, b.Window(), rate, quantum, b)
			}
		}
	})
}
