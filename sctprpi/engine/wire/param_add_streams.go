package wire

import "encoding/binary"

// AddStreams is an Add Outgoing Streams Request parameter, by which its sender
// wants to send on more streams, or an Add Incoming Streams Request parameter,
// by which it wants the peer to.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|  Parameter Type = 17 or 18    |     Parameter Length = 12     |
//	+-------------------------------+-------------------------------+
//	|          Re-configuration Request Sequence Number             |
//	+-------------------------------+-------------------------------+
//	|      Number of new streams    |           Reserved            |
//	+-------------------------------+-------------------------------+
//
// See [RFC 6525, section 4.5], and section 4.6 for incoming streams.
//
// [RFC 6525, section 4.5]: https://www.rfc-editor.org/rfc/rfc6525#section-4.5
type AddStreams struct {
	Request RequestSeq
	// Count is how many streams to add to those there are.
	Count uint16
}

const addStreamsSize = 12

// AppendAddOutgoing adds an Add Outgoing Streams Request parameter.
func (l Params) AppendAddOutgoing(a AddStreams) Params { return l.addStreams(ParamAddOutgoing, a) }

// AppendAddIncoming adds an Add Incoming Streams Request parameter.
func (l Params) AppendAddIncoming(a AddStreams) Params { return l.addStreams(ParamAddIncoming, a) }

func (l Params) addStreams(t ParamType, a AddStreams) Params {
	list, start := openInList(l, uint16(t))
	list = binary.BigEndian.AppendUint32(list, uint32(a.Request))
	list = binary.BigEndian.AppendUint16(list, a.Count)
	return closeItem(append(list, 0, 0), start)
}

var errAddStreams = violation("add streams request parameter of a length other than 12")

// AddStreams decodes an Add Outgoing Streams Request or Add Incoming Streams
// Request parameter.
func (p Param) AddStreams() (AddStreams, error) {
	if len(p.raw) != addStreamsSize {
		return AddStreams{}, errAddStreams
	}
	return AddStreams{
		Request: RequestSeq(binary.BigEndian.Uint32(p.raw[4:])),
		Count:   binary.BigEndian.Uint16(p.raw[8:]),
	}, nil
}
