// Package failure is what a process does about the deaths of others, without a language: it knows who is dead, what the program has
// acknowledged, and which communicators have been revoked, and it has the living agree.
//
// A Process hears of deaths from its transport, from its launcher and from other processes. It keeps a list of the dead, and a State for each
// communicator. Processes tell each other that a communicator has been revoked, and what agreements need, in notices: messages in a
// context that all communicators share, with one receive, which is always there. Notices and deaths are dealt with wherever messages
// are taken in (rpi.Continuations).
//
// How processes agree is package agree, which does no I/O. Here its messages are sent, its agreements follow each other, and their
// results go to the program. A State is kept for a while when its communicator has been released: others may not have heard the result.
package failure
