package wire

import (
	"math/rand/v2"
	"testing"
)

func randomTSN(r *rand.Rand) TSN { return TSN(r.Uint32()) }

var shutdownCodec = codec[TSN]{
	parse: ParseShutdown, append: AppendShutdown,
	bytes: "07 00 0008 01020304", value: 0x01020304, random: randomTSN,
}

func TestShutdown(t *testing.T) { shutdownCodec.test(t) }
func FuzzShutdown(f *testing.F) { shutdownCodec.fuzz(f) }
