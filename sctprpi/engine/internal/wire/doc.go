// Package wire encodes and decodes SCTP packets: the chunks, parameters and
// error causes of RFC 9260 and of the extensions that the engine uses, namely
// message interleaving (RFC 8260), partial reliability (RFC 3758), padding (RFC
// 4820) and packets without a checksum (RFC 9653). Flow control of single streams,
// StreamLimit and StreamOffsets, is an extension of the engine's own. The package
// holds no state and knows no association.
//
// # Receiving
//
// A packet is read in place. ParsePacket, VerifyChecksum and Packet.Chunks take
// it apart, and the Parse function of a chunk's type returns a small struct
// whose slices, the payload for one, are views of the packet: valid as long as
// the packet's buffer is, and never to be written to. Nothing is allocated.
//
// Lists, such as gap ack blocks, parameters and error causes, stay in the form
// that they have on the wire and are walked by their All method. What a Parse
// function returns has been checked to its end by the same code that walks it,
// so a walk cannot fail. No list is longer than its packet; the caller decides how
// much of it to handle. Chunks and parameters of unknown types are walked like any
// other: their type says, by UnknownAction, what to do with them.
//
// A malformed packet gives an *Error, which has the error cause to answer with.
//
// # Sending
//
// Append functions add to a buffer and allocate only to make it grow. A packet
// to be sent is a gather list: headers and control chunks are appended to a
// buffer of the sender's, payloads stay where they are. AppendDataHeader and
// AppendIDataHeader append what comes before a payload, AppendPadding what
// comes after it, and SetChecksum sums up the list. See the example.
//
// Lengths are the caller's to keep: a chunk that is larger than a packet is of
// no use. One that is longer than its length field can say, 65,535 bytes, is
// not appended at all; the same goes for parameters and error causes.
package wire
