package main_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a process says that ends by memory that is not there, but for the address. The first is on the thread of a call.
const (
	inCall = ` cannot be read or written: a pointer, count or datatype is wrong, of this call or an operation that has begun`
	later  = ` cannot be read or written: a pointer, count or datatype is wrong, of an operation that has begun`
)

// Addresses of no memory end the process as they do in the program's own code, with one line that says why.
func TestNoMemoryIsToldInTheProgramsTerms(t *testing.T) {
	program := compile(t, "std", "faults.c")
	moving := []string{"send-long", "send-torn", "later-torn", "receive", "receive-torn", "computing-long", "put"}
	for transport, cases := range map[string][]string{
		"": slices.Concat(moving, []string{"send", "later", "receive-long", "receive-text", "computing", "status", "reduce", "requests", "counts",
			"type", "rank", "text"}),
		"tcp-perpair": moving,
		"sctp-engine": moving,
	} {
		for _, how := range cases {
			said := badEnd(t, transport, program, how)
			assert.Regexp(t, `^mpi: rank 1: (MPI_\w+: the memory at 0x[0-9a-f]+`+inCall+`|the memory at 0x[0-9a-f]+`+later+`) \(.*\)\n`+
				`mpirun: rank 1 .* was killed by signal 11 .*\n$`, said, "%s over %s", how, transport)
		}
	}
}

// A fault in a function of the program that the library calls is the program's.
func TestFaultOfACallbackIsTheProgramsOwn(t *testing.T) {
	assert.Regexp(t, `^mpirun: rank \d .* was killed by signal 11 .*\n$`, badEnd(t, "", compile(t, "std", "faults.c"), "own"))
}

func TestPanicIsOneLine(t *testing.T) {
	program := compile(t, "std", "faults.c")
	said := badEnd(t, "", program, "overflow")
	assert.Regexp(t, `^mpi: rank 1: runtime error: unsafe.Slice: len out of range: a wrong argument .*\nmpirun: rank 1 .* was killed by signal 6 .*\n$`, said)
	t.Setenv("SCTPMPI_DEBUG", "1")
	assert.Contains(t, badEnd(t, "", program, "overflow"), "sctpmpi_Waitall")
}

// badEnd is what is said when a program fails with two ranks, over shared memory if no transport is named.
func badEnd(t *testing.T, transport, program, how string) string {
	t.Helper()
	args := []string{"-n", "2", program, how}
	if transport != "" {
		args = append([]string{"-x", "SCTPMPI_SHM=off", "--transport", transport}, args...)
	}
	var said bytes.Buffer
	cmd := mpirun(t, args...)
	cmd.Stderr = &said
	assert.Error(t, cmd.Run(), how)
	return said.String()
}
