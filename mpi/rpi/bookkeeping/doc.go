// Package bookkeeping is what transports of messages have to keep: names of requests on the
// wire, memory for copies, and the numbers of messages. It is not for concurrent use.
package bookkeeping
