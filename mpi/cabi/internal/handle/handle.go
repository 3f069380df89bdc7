// Package handle numbers the objects of C programs: communicators, requests and so on. A handle is a number of 31 bits: the
// kind of the object, how often its place was used before (the generation), and its place in the table of the kind. So a
// handle of another kind, a freed one and one that is made up are found out. Numbers below First are left to predefined
// objects.
package handle

// Handle is a handle, 0 if there is none. It is positive as an int of C.
type Handle = uintptr

// Kind is the kind of an object.
type Kind uint8

// The kinds.
const (
	Comm Kind = 1 + iota
	Group
	Request
	Message
	Datatype
	Op
	Errhandler
	Info
	Win
	File
	Session
	_      // its numbers are those of MPICH's predefined keyvals
	Keyval // an int in C
)

// The layout of a handle, from the lowest bit on.
const (
	indexBits      = 20
	generationBits = 7
	generationMask = 1<<generationBits - 1
)

// Limit is how many objects of a kind there can be at a time.
const Limit = 1 << indexBits

// First is the smallest handle.
const First Handle = 1 << (indexBits + generationBits)

func pack(k Kind, generation, index uint32) Handle {
	return Handle(k)<<(indexBits+generationBits) | Handle(generation)<<indexBits | Handle(index)
}

// unpack is the generation and the index of h, if it is one of kind k.
func unpack(k Kind, h Handle) (generation, index uint32, ok bool) {
	return uint32(h>>indexBits) & generationMask, uint32(h) & (Limit - 1), h>>(indexBits+generationBits) == Handle(k)
}
