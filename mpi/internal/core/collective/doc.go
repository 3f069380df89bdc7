// Package collective runs collective operations (MPI 4.1, chapter 6). What an operation does is a
// schedule, which package schedule builds; here are its messages, its failures, and its place among
// the operations of a communicator.
//
// An Operation has no goroutine. Its steps go on wherever messages are taken in: in the call that
// waits for it, in any other call of the program, or in the event loop (rpi.Continuations). So a
// blocking operation is one that its caller waits for, a nonblocking one differs in nothing else,
// and any number of them may be under way on a communicator.
//
// Its messages have the communicator's context for collectives, and the number of the call as their
// tag, so that operations never mix. In place of an element type they have the mark, a hash of what
// the ranks must agree on: see terms.go. A rank whose operation fails sends alarms in place of its messages: see
// alarm.go. Ranks that call different operations may wait for each other for ever, so ranks that have waited for long
// ask: see inbox.go and watch.go.
package collective
