package main

// #include "sctpmpi.h"
import "C"

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// control is a control variable: a setting of the environment, by the name of its variable there. A program cannot change it, as
// settings must be the same in all ranks: mpirun and the environment set them.
type control struct {
	name, about string
	valueType   valueType
	enum        *enumeration
	value       func(s *startup.Settings) any
}

// The job's token is secret, and none of them.
var controls = []*control{
	{rpi.EnvTransport, "the transport that carries messages", textValue, nil,
		func(s *startup.Settings) any { return s.Transport }},
	{rpi.EnvEagerLimit, "up to how many bytes a message leaves at once", countValue, nil,
		func(s *startup.Settings) any { return uint64(s.EagerLimit) }},
	{rpi.EnvUnexpectedLimit, "how many bytes of messages a process keeps that no receive has asked for", countValue, nil,
		func(s *startup.Settings) any { return uint64(s.UnexpectedLimit) }},
	{rpi.EnvConnect, "when connections are made: with the first message, or in MPI_Init", intValue, connectTimes,
		func(s *startup.Settings) any { return int(truth(s.ConnectEagerly)) }},
	{rpi.EnvConnectTimeout, "how many seconds a connection may take to come about", secondValue, nil,
		func(s *startup.Settings) any { return s.ConnectTimeout.Seconds() }},
	{rpi.EnvPeerTimeout, "for how many seconds a process may give no sign of life", secondValue, nil,
		func(s *startup.Settings) any { return s.PeerTimeout.Seconds() }},
	{rpi.EnvFinalizeTimeout, "how many seconds MPI_Finalize waits for the other processes", secondValue, nil,
		func(s *startup.Settings) any { return s.FinalizeTimeout.Seconds() }},
	{rpi.EnvInterface, "the local address that is used, empty if the library chooses it", textValue, nil, interfaceOf},
	{rpi.EnvPublish, "the address that peers are told, empty for the one that is bound", textValue, nil, inEnvironment(rpi.EnvPublish)},
	{rpi.EnvPortRange, "the ports that are used, empty for any", textValue, nil, portsOf},
	{rpi.EnvProgress, "what moves messages: hybrid, event or inline", textValue, nil,
		func(s *startup.Settings) any { return s.Progress.String() }},
	{rpi.EnvSpin, "how many seconds a call that waits keeps its processor, 0 as measured, below 0 not at all", secondValue, nil, spinOf},
	{rpi.EnvSharedMemory, "whether processes of one host share memory: auto or off", textValue, nil, sharedMemoryOf},
	{rpi.EnvEncrypt, "whether what goes over the network is encrypted or authenticated: off, auth, on or auto", textValue, nil,
		func(s *startup.Settings) any { return s.Encrypt.String() }},
	{rpi.EnvReproducible, "whether results do not depend on which processes share a host", intValue, switches,
		func(s *startup.Settings) any { return int(truth(!s.Regroup)) }},
	{rpi.EnvDebug, "whether the library explains on standard error how it works", intValue, switches,
		func(s *startup.Settings) any { return int(truth(s.Debug)) }},
	{rpi.EnvTrace, "the file in which the process records what it does, with its rank behind the name, empty for none", textValue, nil,
		func(s *startup.Settings) any { return s.Trace }},
	{rpi.EnvProfile, "the folder of profiles of programs in Go, which programs in C do not have", textValue, nil, inEnvironment(rpi.EnvProfile)},
	{rpi.EnvStatistics, "whether the process tells mpirun what it has counted", intValue, switches,
		func(s *startup.Settings) any { return int(truth(s.Statistics)) }},
	{rpi.EnvCheck, "what is checked of the program: length, types, buffers, or several with commas", textValue, nil,
		func(*startup.Settings) any { return checked.String() }},
	{rpi.EnvStreams, "streams of an SCTP association, empty for the default", textValue, nil, inEnvironment(rpi.EnvStreams)},
	{rpi.EnvInterleave, "whether SCTP mixes long messages, empty for the default", textValue, nil, inEnvironment(rpi.EnvInterleave)},
	{rpi.EnvEncapsulate, "whether the kernel's SCTP is put in UDP, empty for the default", textValue, nil, inEnvironment(rpi.EnvEncapsulate)},
	{rpi.EnvCongestion, "the congestion control of SCTP, empty for the default", textValue, nil, inEnvironment(rpi.EnvCongestion)},
	{rpi.EnvMultipath, "whether SCTP sends over several networks at once, empty for the default", textValue, nil, inEnvironment(rpi.EnvMultipath)},
	{rpi.EnvECN, "whether routers may mark packets of SCTP instead of dropping them, empty for the default", textValue, nil, inEnvironment(rpi.EnvECN)},
}

func interfaceOf(s *startup.Settings) any {
	list := make([]string, len(s.Bind))
	for i, a := range s.Bind {
		list[i] = a.String()
	}
	return strings.Join(list, ",")
}

func portsOf(s *startup.Settings) any {
	if s.PortLow == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d", s.PortLow, s.PortHigh)
}

func spinOf(s *startup.Settings) any {
	if s.Spin < 0 {
		return float64(-1)
	}
	return s.Spin.Seconds()
}

func sharedMemoryOf(s *startup.Settings) any {
	if s.SharedMemory == "" {
		return "auto"
	}
	return s.SharedMemory
}

// inEnvironment is what the environment says.
func inEnvironment(name string) func(*startup.Settings) any {
	return func(*startup.Settings) any { return os.Getenv(name) }
}

// toolSettings are the settings, which are those of MPI_Init: Go sees the environment that the process has begun with.
var toolSettings = sync.OnceValues(settings)

func mpiTCvarGetNum() int { return len(controls) }

func controlAt(index C.int) (*control, error) { return elementAt(controls, index) }

func mpiTCvarGetInfo(c *control) (name string, verbosity int, datatype, enumtype C.uintptr_t, about string, bind, scope int) {
	return c.name, verbosityTuner, C.uintptr_t(c.valueType), c.enum.handle(), c.about, bindNoObject, scopeConstant
}

func mpiTCvarGetIndex(name *C.char, index *C.int) error {
	return tellIndex(index, name, len(controls), func(i int, name string) bool { return controls[i].name == name })
}

func mpiTCvarHandleAlloc(c *control, _ unsafe.Pointer, to *C.uintptr_t) (count C.int, err error) {
	switch {
	case to == nil:
		return 0, toolInvalid
	case len(tool.controls) == toolLimit:
		return 0, toolOutOfHandles
	}
	h := newToolHandle()
	tool.controls[h] = c
	*to = C.uintptr_t(h)
	return c.valueType.count(), nil
}

// controlOf is the control variable of a handle.
func controlOf(h C.uintptr_t) (*control, error) {
	if c := tool.controls[uintptr(h)]; c != nil {
		return c, nil
	}
	return nil, toolInvalidHandle
}

func mpiTCvarHandleFree(h *C.uintptr_t) error {
	if h == nil || tool.controls[uintptr(*h)] == nil {
		return toolInvalidHandle
	}
	delete(tool.controls, uintptr(*h))
	*h = 0
	return nil
}

// mpiTCvarRead fails if MPI_Init does because of the environment.
func mpiTCvarRead(c *control, buf unsafe.Pointer) error {
	s, err := toolSettings()
	if err != nil {
		return toolInvalid
	}
	return writeValue(buf, c.value(s))
}

func mpiTCvarWrite(*control, unsafe.Pointer) error { return toolSetNever }
