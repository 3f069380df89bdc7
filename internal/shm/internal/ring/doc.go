// Package ring is the memory that two processes of one host share, as the link between them sees it: rings that carry
// frames, and inboxes that say which ring to look at. It makes no system call and knows no socket: mapping a segment,
// handing it over and ringing a doorbell are for its callers.
//
// # Segments
//
// Two ranks that talk share a segment with one ring in each direction ([Pair]), made when they first talk: a rank that
// sends gets answers, if only credit. Each rank has one inbox, a segment that all its peers map ([Inbox], [Notifier]).
// [RingSize] says what it takes:
//
//	ranks  a ring  a frame's body, at most  a pair   a rank  all pairs of a host
//	    2  64 KiB             32,656 bytes  128 KiB   68 KiB             136 KiB
//	   64  16 KiB              8,080 bytes   32 KiB    1 MiB              63 MiB
//	  256   4 KiB              1,936 bytes    8 KiB    1 MiB             256 MiB
//
// A rank is given the rings that end at it and its inbox. A pair that never talks takes nothing.
//
// One segment for each receiver, with a ring for each sender, would need as many bytes, but each sender could then write
// into the rings of all others; and as its pages are allocated when the pair meets, it would save nothing. Descriptors do
// not argue against a segment for each pair: a mapping outlives its descriptor, which is closed as soon as both have
// mapped. What stays is one descriptor of each rank's own inbox, to be handed to peers that come later, and, with 256
// ranks, 511 mappings of the 65,530 that Linux allows a process.
//
// # A ring
//
// A ring has one line (LineSize bytes) of control words and then slots of one line each. All words are 64 bits in the
// host's byte order.
//
//	control line:  format | taken | starved | closed
//	first slot:    word | header, 40 bytes | body, 16 bytes (80 where LineSize is 128)
//	further slots: body, LineSize bytes each
//
// A frame takes consecutive slots, and goes on in the first slot after the last. Its word is stored last, and publishes
// it whole: the slot's position in the stream of all slots, and the body's length. So the shortest frames take one cache
// line, and the consumer that waits for one looks at the line in which it will come. Old contents of a slot are not
// mistaken for a frame: a word has the position of an earlier lap, and the consumer defuses body bytes that look like a
// word of the next lap before it gives the slot back (Consumer.Done).
//
// The consumer stores in taken how many slots it has given back, once it is a quarter of the ring. The producer reads it
// when the slots that it knows of are used up. A frame takes half the ring at most, so one always fits when the consumer
// has read all. A producer without room sets starved, and looks at taken once more; a consumer stores taken and then
// looks at starved: one of them sees what the other has written.
//
// # An inbox
//
// A sender that has published a frame looks whether its bit is set in the receiver's inbox, and sets it if not. The
// receiver looks directly at the few rings that were active last, and leaves their bits set: while two ranks talk, the
// inbox's line is in both caches and nothing writes to it. Other rings it looks at only when their bits are set. So what a
// look costs does not depend on the number of peers, but for one word for each 64 of them.
//
// No frame is overlooked. Only the receiver clears a bit, and having cleared it, looks at the ring once more; the sender
// publishes first and then looks at the bit. All of these are sequentially consistent (sync/atomic), so there is one order
// of them. If the sender found the bit set, it looked before the bit was cleared, so it published before the
// receiver's last look, which sees the frame, and sets the bit again. If not, the sender sets it. A bit that is set
// leads to a look, after a bounded number of others.
//
// No sleeper is forgotten, by the same argument. The receiver sets asleep and then looks once more, at its few rings and
// at all bits; the sender publishes, sees to its bit, and then looks at asleep. If the sender did not see asleep it had
// done the rest before the last look. One of several senders that see asleep takes the word back to 0, and rings. A
// receiver that wakes for any reason looks at everything: if the sender that took the word dies before it rings, the
// sleeper learns of the death and wakes by that.
//
// # Processors
//
// Two ranks that share a processor must yield to each other, and two that have one each must not. So each rank writes into its
// inbox which processor runs it, when it waits and that has changed, and its peers read it there (Inbox.Beside). It is a hint: either
// of them may have been moved since.
//
// # A hostile peer
//
// The peer can change any word at any time. Positions are kept in private memory, and what is read of the other side is
// read once and checked against them. Headers are copied before anything looks at them; bodies are given out as views,
// whose bytes may change while they are read. All memory is reached through slices of the segment. Work is bounded for
// each call, as said there. What a correct peer never does is an error that wraps [ErrBreach], and the ring is of no use
// from then on. A peer can keep frames of another one from being noticed, by clearing bits or taking the word asleep: it
// is a process of the same job and user, and this bounds what it can do by waiting, not by damage.
package ring
