package matching

// queue has what waits for one pattern: the receives posted with exactly this
// pattern, in the order of posting, and the unexpected messages that a receive
// with this pattern could take, the one that it would take first.
//
// Queues of a concrete tag exist while they are not empty. The queue of a source
// and any tag is part of the source, and lists only ready messages.
type queue struct {
	key      key
	chain    *queue // in its bucket, or among the spare ones
	receives receiveList
	messages messageList
	source   *source
}
