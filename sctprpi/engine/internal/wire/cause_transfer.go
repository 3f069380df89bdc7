package wire

import (
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// AppendInvalidStream adds the cause for a DATA chunk on a stream that does
// not exist.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|        Cause Code = 1         |       Cause Length = 8        |
//	+-------------------------------+-------------------------------+
//	|       Stream Identifier       |          (Reserved)           |
//	+-------------------------------+-------------------------------+
//
// See [RFC 9260, section 3.3.10.1].
//
// [RFC 9260, section 3.3.10.1]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.10.1
func (l Causes) AppendInvalidStream(id socket.StreamID) Causes {
	return l.appendUint32(CauseInvalidStream, uint32(id)<<16)
}

var errInvalidStream = violation("invalid stream identifier cause of a length other than 8")

// InvalidStream decodes an Invalid Stream Identifier cause.
func (c Cause) InvalidStream() (socket.StreamID, error) {
	info := c.Info()
	if len(info) != 4 {
		return 0, errInvalidStream
	}
	return socket.StreamID(binary.BigEndian.Uint16(info)), nil
}

// AppendOutOfResource adds the cause for a lack of memory or the like (RFC
// 9260, section 3.3.10.4). It has no information.
func (l Causes) AppendOutOfResource() Causes { return l.append(CauseOutOfResource, nil) }

// AppendUnrecognizedChunk adds the cause for a chunk of an unknown type that
// wants to be reported (RFC 9260, section 3.3.10.6). The information is the
// whole chunk.
func (l Causes) AppendUnrecognizedChunk(c Chunk) Causes {
	return l.append(CauseUnrecognizedChunk, c.Bytes())
}

// AppendNoUserData adds the cause for a DATA or I-DATA chunk without user data.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|        Cause Code = 9         |       Cause Length = 8        |
//	+-------------------------------+-------------------------------+
//	|                              TSN                              |
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.10.9].
//
// [RFC 9260, section 3.3.10.9]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.10.9
func (l Causes) AppendNoUserData(tsn TSN) Causes { return l.appendUint32(CauseNoUserData, uint32(tsn)) }

var errNoUserDataCause = violation("no user data cause of a length other than 8")

// NoUserData decodes a No User Data cause.
func (c Cause) NoUserData() (TSN, error) {
	info := c.Info()
	if len(info) != 4 {
		return 0, errNoUserDataCause
	}
	return TSN(binary.BigEndian.Uint32(info)), nil
}

// AppendUserAbort adds the cause for an ABORT chunk that the user asked for,
// with the reason that the user gives, if any (RFC 9260, section 3.3.10.12).
func (l Causes) AppendUserAbort(reason []byte) Causes { return l.append(CauseUserAbort, reason) }

// AppendProtocolViolation adds the cause for errors that no other cause covers, with a remark for
// the reader of a trace (RFC 9260, section 3.3.10.13).
func (l Causes) AppendProtocolViolation(remark string) Causes {
	list, start := openInList(l, uint16(CauseProtocolViolation))
	return closeItem(append(list, remark...), start)
}

func (l Causes) appendUint32(c CauseCode, n uint32) Causes {
	var info [4]byte
	binary.BigEndian.PutUint32(info[:], n)
	return l.append(c, info[:])
}
