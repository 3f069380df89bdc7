// Package window is one-sided operations (MPI 4.1, chapter 12) without a language: what ranks do to each other's memory.
//
// Each rank of a Window has an agent. Origins send it messages: short operations with their data, announcements of
// long ones, requests for locks. The agent has no goroutine: its messages are handled wherever messages are taken in, in any call
// of the program or in the event loop (rpi.Continuations). So a target need not take part, except in the mode rpi.Inline, in
// which it must call the library now and then. When it computes, and has a processor for its event loop, a message waits for
// 2 ms at most, after its last call; later ones are handled when they come.
//
// The data of a long Put has a message of its own, received straight into the memory of the window; that of a long Get is sent
// straight from there. Accumulates are cut into pieces that fit into a message, so that one agent's lock makes each
// element's update atomic, wherever its origin is.
//
// Memory that ranks of one host share, of WinAllocate and WinAllocateShared, needs no messages: origins that have it
// carry out their operations themselves. A latch in it keeps them, and the agent, apart: see near.go. Locks and epochs are words beside it:
// see control.go.
//
// What an origin can make a target keep is bounded: see maxOwed. Everything that a message says is checked before it
// touches memory. An operation that is wrong fails at the target, and its origin gets the error at its next
// synchronization: see target.go.
package window
