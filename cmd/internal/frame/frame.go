// Package frame is what mpirun and the proxies that it starts on other hosts say to each other, over the standard input and
// output of a remote shell.
//
// A frame is a header of 16 bytes and a payload. Numbers are big-endian:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                       length of the payload                   |
//	+---------------+---------------+-------------------------------+
//	|     kind      |    stream     |               0               |
//	+---------------+---------------+-------------------------------+
//	|                 host that it is for, or comes from            |
//	+---------------------------------------------------------------+
//	|                              rank                             |
//	+---------------------------------------------------------------+
package frame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Version is that of the protocol, and of what a Part may ask for. Both ends must have the same.
const Version = 7

// Kind says what a frame is.
type Kind uint8

// The kinds of frames. What a payload is JSON of stands in brackets.
const (
	Part       Kind = iota + 1 // to a proxy: what the host is to run [proxy.Part]
	Start                      // to a proxy: the ranks are to be started
	Halt                       // to a proxy: no further ranks are to be started
	Signal                     // to a proxy: a signal for a rank; the payload is its name
	Finish                     // to a proxy: what ranks have left behind is to be killed
	Rest                       // to a proxy: mpirun is about to be stopped, and will say nothing
	Resume                     // to a proxy: mpirun goes on
	Ready                      // of a proxy: the part can be run
	Refused                    // of a proxy: it cannot [proxy.Refusal]
	Started                    // of a proxy: a rank has been started; the payload is its process number
	NotStarted                 // of a proxy: a rank could not be started [proxy.Refusal]
	AllStarted                 // of a proxy: no further rank will be started
	Ended                      // of a proxy: a rank has ended [process.Outcome]
	Finished                   // of a proxy: nothing is left of the ranks, and all that they have written has been sent
	Data                       // bytes of a stream
	End                        // of a stream: nothing more comes
	Credit                     // so many bytes of a stream have been taken: 4 bytes
	Clock                      // to a proxy: what time is it there? Of a proxy: the time, in nanoseconds since 1970 [int64]
	Alive                      // the sender is there
	State                      // to a proxy: has the process of a rank been stopped? Of a proxy: whether it has [bool]
	kinds
)

// Stream is one of the streams of bytes of a rank.
type Stream uint8

// The streams of a rank. PMI goes both ways. Trace and Profile are what the rank has recorded, which a proxy sends at the end.
const (
	None Stream = iota
	Stdin
	Stdout
	Stderr
	PMI
	Trace
	Profile
	streams
)

const (
	headerSize = 16
	// MaxPayload bounds the payload of a frame, in bytes, but for that of Part.
	MaxPayload = 64 << 10
	// MaxPart bounds the payload of Part, in bytes.
	MaxPart = 16 << 20
)

// Frame is one frame.
type Frame struct {
	Kind    Kind
	Stream  Stream
	Host    uint32
	Rank    uint32
	Payload []byte
}

// ErrGarbage says that what has come is no frame.
var ErrGarbage = errors.New("not a frame")

// Append appends a frame to b.
func Append(b []byte, f Frame) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(f.Payload)))
	b = append(b, byte(f.Kind), byte(f.Stream), 0, 0)
	b = binary.BigEndian.AppendUint32(b, f.Host)
	b = binary.BigEndian.AppendUint32(b, f.Rank)
	return append(b, f.Payload...)
}

// Read reads the next frame. A connection that ends between frames is [io.EOF], in the middle of one
// [io.ErrUnexpectedEOF]. It never holds much more memory than has come.
func Read(in io.Reader) (Frame, error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(in, h[:]); err != nil {
		return Frame{}, err
	}
	length := int64(binary.BigEndian.Uint32(h[:]))
	f := Frame{
		Kind: Kind(h[4]), Stream: Stream(h[5]),
		Host: binary.BigEndian.Uint32(h[8:]), Rank: binary.BigEndian.Uint32(h[12:]),
	}
	if err := f.check(length); err != nil || h[6] != 0 || h[7] != 0 {
		return Frame{}, fmt.Errorf("%w: %q", ErrGarbage, h[:])
	}
	var payload bytes.Buffer
	if _, err := io.CopyN(&payload, in, length); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return Frame{}, err
	}
	f.Payload = payload.Bytes()
	return f, nil
}

// check checks a header.
func (f Frame) check(length int64) error {
	most := int64(MaxPayload)
	if f.Kind == Part {
		most = MaxPart
	}
	ofStream := f.Kind == Data || f.Kind == End || f.Kind == Credit
	switch {
	case f.Kind == 0, f.Kind >= kinds, f.Stream >= streams, ofStream != (f.Stream != None), length > most,
		f.Kind == Credit && length != 4:
		return ErrGarbage
	}
	return nil
}

// CreditOf returns the payload of a Credit frame.
func CreditOf(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// Credit returns what a Credit frame says.
func (f Frame) Credit() uint32 { return binary.BigEndian.Uint32(f.Payload) }

// KindOf returns the kind of a frame that Append has made.
func KindOf(b []byte) Kind { return Kind(b[4]) }
