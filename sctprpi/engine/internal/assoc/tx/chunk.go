package tx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Chunk is a DATA or I-DATA chunk to be sent. It refers to the message's bytes
// and is valid until the next call of a method of the Sender other than Next.
type Chunk struct {
	Flags  wire.DataFlags
	TSN    wire.TSN
	Stream socket.StreamID
	PPID   socket.PPID
	// SSN belongs to DATA chunks, MID and FSN to I-DATA chunks.
	SSN wire.SSN
	MID wire.MID
	FSN wire.FSN
	// Interleaved makes it an I-DATA chunk.
	Interleaved bool
	// Retransmission says that the chunk has been sent before.
	Retransmission bool

	data   [][]byte
	at     cursor
	length int
}

// Len returns the length of the payload in bytes.
func (c *Chunk) Len() int { return c.length }

// Size returns what the chunk takes of a packet in bytes: header, payload and
// padding.
func (c *Chunk) Size() int { return chunkSize(c.length, c.Interleaved) }

// AppendHeader appends what comes before the payload on the wire.
func (c *Chunk) AppendHeader(b []byte) []byte {
	if c.Interleaved {
		return wire.AppendIDataHeader(b, &wire.IData{
			Flags: c.Flags, TSN: c.TSN, Stream: c.Stream, MID: c.MID, PPID: c.PPID, FSN: c.FSN,
		}, c.length)
	}
	return wire.AppendDataHeader(b, &wire.Data{
		Flags: c.Flags, TSN: c.TSN, Stream: c.Stream, SSN: c.SSN, PPID: c.PPID,
	}, c.length)
}

// AppendPayload appends views of the payload to a gather list. The padding, by
// wire.AppendPadding, is the caller's.
func (c *Chunk) AppendPayload(list [][]byte) [][]byte {
	return c.at.appendView(list, c.data, c.length)
}

func headerSize(interleaved bool) int {
	if interleaved {
		return wire.IDataHeaderSize
	}
	return wire.DataHeaderSize
}

func chunkSize(payload int, interleaved bool) int {
	return wire.PaddedLen(headerSize(interleaved) + payload)
}

// describe makes the Chunk of an outstanding chunk.
func describe(tsn wire.TSN, c *outstandingChunk, interleaved bool) Chunk {
	return Chunk{
		Flags: c.flags, TSN: tsn, Stream: c.msg.stream.id, PPID: c.msg.ppid,
		SSN: c.msg.ssn, MID: c.msg.mid, FSN: c.fsn,
		Interleaved: interleaved, Retransmission: c.resent,
		data: c.msg.data, at: c.at, length: int(c.length),
	}
}
