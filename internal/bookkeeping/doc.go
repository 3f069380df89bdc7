// Package bookkeeping has the tables that transports of messages need: the ids of requests on the
// wire, memory for copies, and the sequence numbers of messages. It is for transports, not for
// programs, and not for concurrent use.
package bookkeeping
