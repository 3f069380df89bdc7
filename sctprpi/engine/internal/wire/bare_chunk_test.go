package wire

import (
	"math/rand/v2"
	"testing"
)

// bareCodec is the codec of a chunk without a value.
func bareCodec(encode func([]byte) []byte, parse func(Chunk) error, bytes string) codec[struct{}] {
	return codec[struct{}]{
		parse:  func(c Chunk) (struct{}, error) { return struct{}{}, parse(c) },
		append: func(b []byte, _ struct{}) []byte { return encode(b) },
		bytes:  bytes,
		random: func(*rand.Rand) struct{} { return struct{}{} },
	}
}

var (
	shutdownAckCodec      = bareCodec(AppendShutdownAck, ParseShutdownAck, "08 00 0004")
	cookieAckCodec        = bareCodec(AppendCookieAck, ParseCookieAck, "0b 00 0004")
	shutdownCompleteCodec = bareCodec(
		func(b []byte) []byte { return AppendShutdownComplete(b, false) }, ParseShutdownComplete, "0e 00 0004")
)

func TestShutdownAck(t *testing.T)      { shutdownAckCodec.test(t) }
func FuzzShutdownAck(f *testing.F)      { shutdownAckCodec.fuzz(f) }
func TestCookieAck(t *testing.T)        { cookieAckCodec.test(t) }
func FuzzCookieAck(f *testing.F)        { cookieAckCodec.fuzz(f) }
func TestShutdownComplete(t *testing.T) { shutdownCompleteCodec.test(t) }
func FuzzShutdownComplete(f *testing.F) { shutdownCompleteCodec.fuzz(f) }
