// Package agree lets the ranks of a group agree on a value though some of them die (uniform consensus). It does
// no I/O and knows no time: messages and deaths are passed in, messages to be sent come out.
//
// The lowest living rank is the coordinator. It asks all ranks for what they propose. When it has the proposals of all
// living ones it combines them, and has all ranks accept the result. When all living ranks have accepted, the
// result is decided, and it tells them. If it dies the next living rank takes over: with the value that it has
// accepted, or if it has accepted none with the proposals that it collects anew. A value that has been decided was accepted
// by all that lived then, so the next coordinator has it: no two ranks ever decide differently, dead ones included.
//
// This holds as long as a rank that is said to be dead is dead, or no rank listens to it any more. An agreement
// takes two messages and answers for each rank, over the coordinator, and one message to announce the result.
//
// A State is kept after its decision, until the next agreement of the group is decided: ranks that the result has not reached ask for it.
package agree
