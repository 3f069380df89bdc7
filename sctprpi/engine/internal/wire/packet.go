package wire

import "iter"

// Packet is a received packet: a view, nothing is copied.
type Packet struct {
	Header
	chunks []byte
}

// Size returns the packet's length in bytes.
func (p *Packet) Size() int { return HeaderSize + len(p.chunks) }

// ParsePacket returns the packet in b, the payload of one IP or UDP datagram.
// It does not look at the checksum, see VerifyChecksum, nor at the chunks.
//
// Errors: ErrShortPacket, ErrZeroPort.
func ParsePacket(b []byte) (Packet, error) {
	if len(b) < HeaderSize+itemHeaderSize {
		return Packet{}, ErrShortPacket
	}
	h := parseHeader(b)
	if h.SourcePort == 0 || h.DestinationPort == 0 {
		return Packet{}, ErrZeroPort
	}
	return Packet{h, b[HeaderSize:]}, nil
}

// Chunks walks the chunks of the packet in order. A chunk yielded without an
// error lies within the packet, and unless its type is to be alone, so says
// ChunkType.Alone, others may follow.
//
// An error ends the walk; the chunk yielded with it must not be processed:
// ErrPartialChunk (the chunk is then the zero Chunk), ErrBundled.
func (p Packet) Chunks() iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for b, first := p.chunks, true; len(b) > 0; first = false {
			c, rest, err := cutChunk(b)
			if err == nil && c.Type.Alone() && !(first && len(rest) == 0) {
				err = ErrBundled
			}
			if !yield(c, err) || err != nil {
				return
			}
			b = rest
		}
	}
}

// SetsUp reports whether a packet begins with a chunk that sets up an association, or is too short to tell.
func SetsUp(b []byte) bool {
	if len(b) <= HeaderSize {
		return true
	}
	first := ChunkType(b[HeaderSize])
	return first == TypeInit || first == TypeCookieEcho
}
