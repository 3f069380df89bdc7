// Package enginetest helps to test what is built on the engine. It is for tests, not for
// programs.
//
// World is a simulated network with sockets. Everything between Send and Receive is the engine's
// own, but the clock is virtual: it stands still while a program that uses the sockets has
// something to do, and goes on to the next packet or timer when all of them wait. So a test can
// lose a certain packet, and compare times that no load of the machine changes.
//
// Impair puts a bad network in front of the engine's UDP socket, in real time and without any
// privilege. Drop loses certain packets there, and Cut cuts links for a while.
package enginetest
