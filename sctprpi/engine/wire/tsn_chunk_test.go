package wire

import (
	"math/rand/v2"
	"testing"
)

func randomTSN(r *rand.Rand) TSN { return TSN(r.Uint32()) }

var (
	shutdownCodec = codec[TSN]{
		parse: ParseShutdown, append: AppendShutdown,
		bytes: "07 00 0008 01020304", value: 0x01020304, random: randomTSN,
	}
	ecneCodec = codec[TSN]{
		parse: ParseECNE, append: AppendECNE,
		bytes: "0c 00 0008 01020304", value: 0x01020304, random: randomTSN,
	}
	cwrCodec = codec[TSN]{
		parse: ParseCWR, append: AppendCWR,
		bytes: "0d 00 0008 01020304", value: 0x01020304, random: randomTSN,
	}
)

func TestShutdown(t *testing.T) { shutdownCodec.test(t) }
func FuzzShutdown(f *testing.F) { shutdownCodec.fuzz(f) }
func TestECNE(t *testing.T)     { ecneCodec.test(t) }
func FuzzECNE(f *testing.F)     { ecneCodec.fuzz(f) }
func TestCWR(t *testing.T)      { cwrCodec.test(t) }
func FuzzCWR(f *testing.F)      { cwrCodec.fuzz(f) }
