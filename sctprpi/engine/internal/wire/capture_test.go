package wire

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type capturedPacket struct {
	name  string
	bytes []byte
}

// linuxPackets returns packets that a Linux kernel has sent.
func linuxPackets(t testing.TB) (packets []capturedPacket) {
	f, err := os.Open("testdata/linux.hex")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, digits, ok := strings.Cut(lines.Text(), ": "); ok && name[0] != '#' {
			packets = append(packets, capturedPacket{name, unhex(t, digits)})
		}
	}
	require.NoError(t, lines.Err())
	return packets
}

// What Linux sends is understood, down to the last byte: encoding what was
// decoded gives Linux's own packet.
func TestLinuxPacketsAreUnderstood(t *testing.T) {
	packets := linuxPackets(t)
	require.Len(t, packets, 40)
	for _, captured := range packets {
		t.Run(captured.name, func(t *testing.T) {
			require.True(t, VerifyChecksum(captured.bytes, false))
			p, err := ParsePacket(captured.bytes)
			require.NoError(t, err)
			b := AppendHeader(nil, p.Header)
			for c, err := range p.Chunks() {
				require.NoError(t, err)
				b, err = reencode(b, c)
				require.NoError(t, err)
			}
			SetChecksum(b)
			assert.Equal(t, hex.EncodeToString(captured.bytes), hex.EncodeToString(b))
		})
	}
}

// reencode decodes c and appends its meaning to b.
func reencode(b []byte, c Chunk) ([]byte, error) {
	switch c.Type {
	case TypeData:
		return through(b, c, ParseData, appendData)
	case TypeIData:
		return through(b, c, ParseIData, appendIData)
	case TypeInit:
		init, err := ParseInit(c)
		init.Params = reencodeParams(init.Params)
		return AppendInit(b, &init), err
	case TypeInitAck:
		ack, _, err := ParseInitAck(c)
		ack.Params = reencodeParams(ack.Params)
		return AppendInitAck(b, &ack), err
	case TypeSACK:
		return through(b, c, ParseSACK, func(b []byte, s SACK) []byte { return AppendSACK(b, &s) })
	case TypeHeartbeat:
		return through(b, c, ParseHeartbeat, AppendHeartbeat)
	case TypeHeartbeatAck:
		return through(b, c, ParseHeartbeatAck, AppendHeartbeatAck)
	case TypeAbort:
		causes, err := ParseAbort(c)
		return AppendAbort(b, c.Reflected(), reencodeCauses(causes)), err
	case TypeError:
		causes, err := ParseError(c)
		return AppendError(b, reencodeCauses(causes)), err
	case TypeShutdown:
		return through(b, c, ParseShutdown, AppendShutdown)
	case TypeShutdownAck:
		return AppendShutdownAck(b), ParseShutdownAck(c)
	case TypeShutdownComplete:
		return AppendShutdownComplete(b, c.Reflected()), ParseShutdownComplete(c)
	case TypeCookieEcho:
		return through(b, c, ParseCookieEcho, AppendCookieEcho)
	case TypeCookieAck:
		return AppendCookieAck(b), ParseCookieAck(c)
	case TypeForwardTSN:
		return through(b, c, ParseForwardTSN, func(b []byte, f ForwardTSN) []byte { return AppendForwardTSN(b, &f) })
	case TypeIForwardTSN:
		return through(b, c, ParseIForwardTSN, func(b []byte, f IForwardTSN) []byte { return AppendIForwardTSN(b, &f) })
	case TypePad:
		return AppendPad(b, PaddedLen(len(c.Bytes()))), nil
	}
	return AppendPadding(append(b, c.Bytes()...), len(c.Bytes())), nil
}

func through[T any](b []byte, c Chunk, parse func(Chunk) (T, error), encode func([]byte, T) []byte) ([]byte, error) {
	v, err := parse(c)
	if err != nil {
		return b, err
	}
	return encode(b, v), nil
}
