// Package record is how the bytes of a TCP connection travel: as they are, or in sealed records (package seal).
//
//	length of the payload, 4 bytes | counter, 8 bytes | payload | tag, 16 bytes
//
// Length and counter are readable and authenticated, the payload too in mode auth; with encryption it cannot be read. Keys are
// fresh for each connection and direction, and die with it, or with the handshake.Session that they come from. Records must come in the
// order in which they were sealed: each
// has the next counter. So no record can be changed, dropped, repeated, moved or taken from another connection without
// notice. A record without payload ends the stream: an end that it does not announce is not the peer's (ErrCut), unless no
// record has come at all, since the peer has not used the connection then.
//
// After 2^23 records a direction goes on with the next key, which follows from the last one by a function that cannot be turned
// back (seal.Secret.Next). Both ends count records, so they need not say so.
//
// # Memory
//
// A connection on which nothing is under way has no buffer. While a record has not left entirely its sender holds 64 KiB for it.
// While bytes have come that are not a whole record, or that are not wanted yet, their receiver holds 1 KiB if they are no more, else
// 65 KiB, or 129 KiB if it has asked for many. The first 256 bytes that are written at a time have a record of their own if they are
// many, so that 1 KiB is enough for the envelope of a message.
// The bytes of a peer that is dead are taken out of the kernel's buffer, however many they are, to see how many there are.
package record
