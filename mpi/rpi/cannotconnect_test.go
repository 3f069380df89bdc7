package rpi_test

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// What the system has said of a connection decides what is advised.
func TestAdviceForAConnectionThatCannotBeMade(t *testing.T) {
	for errno, advice := range map[syscall.Errno]string{
		syscall.ENETUNREACH:  "this host has no way there",
		syscall.EHOSTUNREACH: "check that the host is up",
		syscall.EACCES:       "a firewall or a security policy of this host forbids it",
		syscall.EPERM:        "a firewall or a security policy of this host forbids it",
		syscall.ECONNREFUSED: "check that the process runs and that no firewall is between",
	} {
		cause := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", errno)}
		err := (&rpi.Config{Rank: 3}).CannotConnect("10.0.0.1:5", "10.0.0.2:7", "tcp-perpair", fmt.Errorf("sctp: %w", cause))
		assert.ErrorContains(t, err, `rank 3 (10.0.0.1:5) cannot connect to it at "10.0.0.2:7" over tcp-perpair: `)
		assert.ErrorContains(t, err, errno.Error()+"; "+advice)
		assert.ErrorIs(t, err, errno)
	}
}
