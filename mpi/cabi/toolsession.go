package main

/*
#include "sctpmpi.h"
*/
import "C"

import "unsafe"

// toolSession is a session of performance experiments: handles of performance variables, each with a count of its own.
type toolSession struct{ handles map[uintptr]*experiment }

// experiment is a handle of a performance variable.
type experiment struct {
	*counter
	running bool
	// counted is what the handle had counted when it was started or changed, and began what the process had counted then.
	counted, began uint64
}

// allHandles is MPI_T_PVAR_ALL_HANDLES.
const allHandles = 1

// read is what the handle has counted so far. now is what the process has.
func (e *experiment) read(now uint64) uint64 {
	switch {
	case !e.adds():
		return now
	case e.running:
		return e.counted + now - e.began
	}
	return e.counted
}

// set has the handle count from a value on.
func (e *experiment) set(value, now uint64) { e.counted, e.began = value, now }

func (e *experiment) start() class {
	if !e.adds() {
		return toolNoStartStop
	}
	if !e.running {
		e.running, e.began = true, e.now()
	}
	return success
}

func (e *experiment) stop() class {
	if !e.adds() {
		return toolNoStartStop
	}
	e.counted, e.running = e.read(e.now()), false
	return success
}

func (e *experiment) reset() class {
	if !e.adds() {
		return toolNoWrite
	}
	e.set(0, e.now())
	return success
}

//export sctpmpi_T_pvar_session_create
func sctpmpi_T_pvar_session_create(to *C.uintptr_t) C.int {
	return inTool(func() class {
		switch {
		case to == nil:
			return toolInvalid
		case len(tool.sessions) == toolLimit:
			return toolOutOfSessions
		}
		h := newToolHandle()
		tool.sessions[h] = &toolSession{handles: map[uintptr]*experiment{}}
		*to = C.uintptr_t(h)
		return success
	})
}

// inSession calls f with the session of a handle.
func inSession(h C.uintptr_t, f func(s *toolSession) class) C.int {
	return inTool(func() class {
		s := tool.sessions[uintptr(h)]
		if s == nil {
			return toolInvalidSession
		}
		return f(s)
	})
}

//export sctpmpi_T_pvar_session_free
func sctpmpi_T_pvar_session_free(h *C.uintptr_t) C.int {
	if h == nil {
		return inSession(0, nil)
	}
	return inSession(*h, func(s *toolSession) class {
		tool.counting -= len(s.handles)
		delete(tool.sessions, uintptr(*h))
		*h = 0
		return success
	})
}

//export sctpmpi_T_pvar_handle_alloc
func sctpmpi_T_pvar_handle_alloc(session C.uintptr_t, index C.int, object unsafe.Pointer, to *C.uintptr_t, count *C.int) C.int {
	return inSession(session, func(s *toolSession) class {
		c, ok := elementAt(counters, index)
		switch {
		case !ok:
			return toolInvalidIndex
		case to == nil:
			return toolInvalid
		case tool.counting == toolLimit:
			return toolOutOfHandles
		}
		tool.counting++
		h := newToolHandle()
		s.handles[h] = &experiment{counter: c}
		*to = C.uintptr_t(h)
		tell(count, 1)
		return success
	})
}

// inExperiment calls f with a handle of a session.
func inExperiment(session, h C.uintptr_t, f func(e *experiment) class) C.int {
	return inSession(session, func(s *toolSession) class {
		e := s.handles[uintptr(h)]
		if e == nil {
			return toolInvalidHandle
		}
		return f(e)
	})
}

// inExperiments calls f with a handle of a session, or with all those that can do it.
func inExperiments(session, h C.uintptr_t, f func(e *experiment) class) C.int {
	if h != allHandles {
		return inExperiment(session, h, f)
	}
	return inSession(session, func(s *toolSession) class {
		for _, e := range s.handles {
			if e.adds() {
				f(e)
			}
		}
		return success
	})
}

//export sctpmpi_T_pvar_handle_free
func sctpmpi_T_pvar_handle_free(session C.uintptr_t, h *C.uintptr_t) C.int {
	return inSession(session, func(s *toolSession) class {
		if h == nil || s.handles[uintptr(*h)] == nil {
			return toolInvalidHandle
		}
		tool.counting--
		delete(s.handles, uintptr(*h))
		*h = 0
		return success
	})
}

//export sctpmpi_T_pvar_start
func sctpmpi_T_pvar_start(session, h C.uintptr_t) C.int {
	return inExperiments(session, h, (*experiment).start)
}

//export sctpmpi_T_pvar_stop
func sctpmpi_T_pvar_stop(session, h C.uintptr_t) C.int {
	return inExperiments(session, h, (*experiment).stop)
}

//export sctpmpi_T_pvar_reset
func sctpmpi_T_pvar_reset(session, h C.uintptr_t) C.int {
	return inExperiments(session, h, (*experiment).reset)
}

//export sctpmpi_T_pvar_read
func sctpmpi_T_pvar_read(session, h C.uintptr_t, buf unsafe.Pointer) C.int {
	return inExperiment(session, h, func(e *experiment) class { return writeValue(buf, e.value(e.read(e.now()))) })
}

//export sctpmpi_T_pvar_write
func sctpmpi_T_pvar_write(session, h C.uintptr_t, buf unsafe.Pointer) C.int {
	return inExperiment(session, h, func(e *experiment) class {
		switch {
		case !e.adds():
			return toolNoWrite
		case buf == nil:
			return toolInvalid
		}
		e.set(*(*uint64)(buf), e.now())
		return success
	})
}

// sctpmpi_T_pvar_readreset loses nothing between both.
//
//export sctpmpi_T_pvar_readreset
func sctpmpi_T_pvar_readreset(session, h C.uintptr_t, buf unsafe.Pointer) C.int {
	return inExperiment(session, h, func(e *experiment) class {
		if !e.adds() {
			return toolNoAtomic
		}
		now := e.now()
		if c := writeValue(buf, e.read(now)); c != success {
			return c
		}
		e.set(0, now)
		return success
	})
}
