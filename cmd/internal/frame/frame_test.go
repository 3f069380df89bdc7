package frame

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var examples = []Frame{
	{Kind: Part, Payload: make([]byte, MaxPayload+1)},
	{Kind: Start, Host: 7},
	{Kind: Signal, Rank: 3, Payload: []byte("SIGTERM")},
	{Kind: Data, Stream: PMI, Host: 1, Rank: 1<<24 - 1, Payload: []byte("cmd=init\n")},
	{Kind: Credit, Stream: Stdout, Payload: CreditOf(65536)},
	{Kind: End, Stream: Stdin},
}

func TestFramesComeAsTheyWereSent(t *testing.T) {
	var wire []byte
	for _, f := range examples {
		wire = Append(wire, f)
	}
	in := bytes.NewReader(wire)
	for _, f := range examples {
		got, err := Read(in)
		require.NoError(t, err)
		assert.Equal(t, append([]byte{}, f.Payload...), append([]byte{}, got.Payload...))
		f.Payload, got.Payload = nil, nil
		assert.Equal(t, f, got)
	}
	_, err := Read(in)
	assert.Equal(t, io.EOF, err)
}

func TestWireFormat(t *testing.T) {
	assert.Equal(t, []byte{0, 0, 0, 2, byte(Data), byte(PMI), 0, 0, 0, 0, 0, 5, 0, 0, 1, 2, 'h', 'i'},
		Append(nil, Frame{Kind: Data, Stream: PMI, Host: 5, Rank: 258, Payload: []byte("hi")}))
	assert.EqualValues(t, 65536, Frame{Payload: CreditOf(65536)}.Credit())
}

func TestGarbageIsRefused(t *testing.T) {
	header := func(length byte, kind Kind, stream Stream, zero byte) []byte {
		return []byte{0, length, 0, 4, byte(kind), byte(stream), 0, zero, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}
	}
	for name, wire := range map[string][]byte{
		"no kind":              header(0, 0, None, 0),
		"unknown kind":         header(0, kinds, None, 0),
		"unknown stream":       header(0, Data, streams, 0),
		"data of no stream":    header(0, Data, None, 0),
		"a stream's start":     header(0, Start, PMI, 0),
		"too long":             header(1, Data, PMI, 0),
		"part that is no part": {0xff, 0, 0, 0, byte(Part), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"what must be zero":    header(0, Data, PMI, 1),
	} {
		_, err := Read(bytes.NewReader(wire))
		assert.ErrorIs(t, err, ErrGarbage, name)
	}
	whole := Append(nil, examples[3])
	for n := 1; n < len(whole); n++ {
		_, err := Read(bytes.NewReader(whole[:n]))
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
}

func FuzzRead(f *testing.F) {
	for _, example := range examples[1:] {
		f.Add(Append(nil, example))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		in := bytes.NewReader(wire)
		for {
			got, err := Read(in)
			if err != nil {
				return
			}
			again, err := Read(bytes.NewReader(Append(nil, got)))
			require.NoError(t, err)
			require.Equal(t, got.Kind, again.Kind)
			require.True(t, bytes.Equal(got.Payload, again.Payload))
		}
	})
}
