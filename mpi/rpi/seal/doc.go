// Package seal protects what transports send over a network: keys from the job's token, records that only its
// owners can read or change, and forward secrecy. It is for transports, not for programs. All cryptography is that of the
// standard library, golang.org/x/crypto and github.com/flynn/noise. This package joins them, and keeps to what their
// documents demand: no nonce is used twice, nothing is used before it has been authenticated, keys have one purpose each.
//
// # Keys
//
// A Secret is a key to derive others from (HKDF with SHA-256, RFC 5869). NewSecret makes one of the job's token and a
// label that names the protocol, so that two protocols of a job share no key. Each socket draws an ID of 128
// bits, 64 of them random at least (see Marker), and publishes it with its address as an Identity, which says how the socket wants to talk and is authenticated by
// the token. From these both ends derive the same keys before the first packet:
//
//	key, iv = HKDF-Expand(secret, "sctpmpi seal 1 record" ‖ From ‖ To ‖ Epoch ‖ Mode ‖ Suite)
//
// Keys are for one direction between two sockets, in one epoch. A record for one socket opens at no other, and does not
// open at its sender if it is reflected. IDs live as long as their sockets and are not used again: a process that starts
// anew has new keys.
//
// # Records
//
//	header, of which the last 8 bytes are the counter | payload | tag of 16 bytes
//
// The AEAD is AES-128-GCM, or ChaCha20-Poly1305 if a processor of the two ends has no instructions for AES, where software
// would be slow and would tell the key by its timing. The nonce is the counter, XORed into the iv as in TLS 1.3 (RFC 8446,
// section 5.3). The header is additional data: readable and authenticated. In Mode Auth the payload is too, so that a
// record is readable and nothing can be changed. Mode and suite are in the derivation of the key: one mode's record never
// passes for the other's.
//
// A Sealer owns a key and its counter. It draws the counter itself, cannot be copied or set back, and refuses to go on
// after Limit records. There is one for each key in a process: a transport that derives a key for sending must keep
// the Sealer as long as the ID lives. An Opener opens each record once, in any order within the last Window counters, and not beyond
// the number of forgeries that the AEAD bears.
//
// # Epochs and forward secrecy
//
// The keys of epoch 0 follow from the token. With them the first packet is sealed, without a round trip. A process that
// learns the token later can read what was recorded in epoch 0. So the two ends agree on the next epoch by the handshake
// Noise_NNpsk0_25519_ChaChaPoly_SHA256 (noiseprotocol.org), of one message each way: ephemeral X25519 keys, authenticated
// by a key that follows from the token. Its prologue binds label, version, both IDs and the epoch. Of its two keys each is
// a Secret for one direction. When the ephemeral keys and those of the epoch are gone, records of it cannot be read
// any more, not even with the token.
//
// # Resumption
//
// Where two ends have many connections with each other, one has a handshake, and leaves a Resumption. From it each further
// connection has keys of its own, without a handshake or a round trip:
//
//	resumption secret of a direction = HKDF-Expand(secret of the handshake for that direction, "sctpmpi seal 1 resumption")
//	keys of connection n = HKDF-Expand(resumption secret of the end that makes it, "sctpmpi seal 1 connection" ‖ n)
//
// Its first flight is a record whose counter is n. As a Sealer uses no counter twice and an Opener opens none twice, no two connections have
// the same keys, and a flight that is played again opens nothing. Forward secrecy is that of the handshake: with a
// Resumption, which each end has while it needs it, one can read what was recorded of its connections.
//
// # How transports use it
//
//	secret := seal.NewSecret(token, "my protocol/1")
//	own := seal.Identity{ID: seal.NewID(), Policy: policy, AES: seal.HasAES()}
//	published := own.Publish(secret, address)                    // the peer: seal.Read(secret, published)
//	terms := seal.Terms{From: own.ID, To: peer.ID, Mode: mode, Suite: seal.SuiteFor(own, peer)}
//	sealer, opener := secret.Sealer(terms), secret.Opener(terms.Reversed())
//	record, err := sealer.Seal(append(header, payload...), len(header))
//	payload, err := opener.Open(record, len(header))
//
// The transports over the embedded SCTP engine do so: sctprpi/internal/guard.
// A transport whose records come in order has a handshake for each connection, opens with OpenNext, and goes on with
// the next key of a Chain when one has sealed enough: tcprpi/internal/record. One that has many connections with a peer has a Resumption:
// tcprpi/internal/handshake. One whose records are numbered by stream opens them with
// OpenUnseen: sctprpi/internal/record.
package seal
