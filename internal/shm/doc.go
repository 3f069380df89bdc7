// Package shm is the link between ranks of one host: memory that they share, under the message progression layer of a
// transport. It is for the transports that have that layer, not for programs. It is no transport of its own. There is one
// matching, one order of messages and one set of requests; for each peer the frames go either through shared memory or
// through the transport's network. That is decided before the first frame to the peer, and never changes.
//
// # Deciding
//
// A process publishes, behind the address of its network, where peers of its host meet it (package meeting). When the first
// frame for a peer is queued, or its failure has to be noticed, and the peer's place is this host, the two meet: they prove
// that they know the job's token, and hand over memory and doorbells. They share memory if both have concluded that. In all
// other cases both use the network: another host, user, container or library, a full control group, missing descriptors. If
// two peers begin to meet each other at the same time, the meeting of the lower rank is used. At most four are begun at the
// same time.
//
// What it takes: two descriptors for each peer (its doorbell and its pidfd), and the memory that package ring tells. The
// doorbell of this process is the eventfd of its Poller. No memory has a name; all is gone with the last process that
// has it.
//
// # A short message
//
// A frame, header and body, is copied into the ring to the peer, by the goroutine that starts the send and under the
// transport's lock, and from the ring to where the layer wants it. With a body of 16 bytes or less it is one cache line. No
// system call is made, unless the peer sleeps: then one that wakes it.
//
// # A long message
//
// A body of more than copyLimit bytes is lent: the frame in the ring says where it is, and the receiver reads it from there,
// in pieces, one of each lent body in turn, and then says that it has. So it is copied once, and a short message passes it
// between two pieces. Between processes that is process_vm_readv (package onecopy), between ranks of one process a copy. If the
// system forbids it, which the peers find out when they meet, bodies are cut into pieces that go through the ring.
//
// A lent body belongs to the link until the receiver has said that it has read it, or has ended. What has been read counts
// only if the sender has not left meanwhile.
//
// # Waiting
//
// Around puts the link before the network, as the driver sees both: one that spins looks at the inbox each time and at
// the network now and then (networkEvery); one that waits says so in its inbox, and then a peer that sends rings its
// doorbell.
//
// # The end of a peer
//
// A process that ends is noticed by its pidfd, at once; one that leaves the job and lives on (Kill) says so in its ring. What
// it had written completely is delivered, then its failure is reported. A peer that finalizes sends a Bye as its last frame,
// when all that it has lent has been read. A peer that is only slow, or stopped, is not dead.
//
// # Locks
//
// The transport's lock guards the layer, what is known of peers, and the ends of rings that write. The progress token,
// a lock that comes before it, is held by the goroutine that takes frames in, and when a peer is attached or fails:
// it guards the ends that read, and the memory to which bodies are read. Neither is held while a doorbell is rung, nor the first
// one while a body is copied.
package shm
