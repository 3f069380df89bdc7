package main

// #include "sctpmpi.h"
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

func (e *experiment) start() error {
	if !e.adds() {
		return toolNoStartStop
	}
	if !e.running {
		e.running, e.began = true, e.now()
	}
	return nil
}

func (e *experiment) stop() error {
	if !e.adds() {
		return toolNoStartStop
	}
	e.counted, e.running = e.read(e.now()), false
	return nil
}

func (e *experiment) reset() error {
	if !e.adds() {
		return toolNoWrite
	}
	e.set(0, e.now())
	return nil
}

func mpiTPvarSessionCreate(to *C.uintptr_t) error {
	switch {
	case to == nil:
		return toolInvalid
	case len(tool.sessions) == toolLimit:
		return toolOutOfSessions
	}
	h := newToolHandle()
	tool.sessions[h] = &toolSession{handles: map[uintptr]*experiment{}}
	*to = C.uintptr_t(h)
	return nil
}

// toolSessionOf is the session with a handle.
func toolSessionOf(h C.uintptr_t) (*toolSession, error) {
	if s := tool.sessions[uintptr(h)]; s != nil {
		return s, nil
	}
	return nil, toolInvalidSession
}

func mpiTPvarSessionFree(h *C.uintptr_t) error {
	if h == nil || tool.sessions[uintptr(*h)] == nil {
		return toolInvalidSession
	}
	tool.counting -= len(tool.sessions[uintptr(*h)].handles)
	delete(tool.sessions, uintptr(*h))
	*h = 0
	return nil
}

func mpiTPvarHandleAlloc(s *toolSession, c *counter, _ unsafe.Pointer, to *C.uintptr_t) (count int, err error) {
	switch {
	case to == nil:
		return 0, toolInvalid
	case tool.counting == toolLimit:
		return 0, toolOutOfHandles
	}
	tool.counting++
	h := newToolHandle()
	s.handles[h] = &experiment{counter: c}
	*to = C.uintptr_t(h)
	return 1, nil
}

// experiment is the one with a handle.
func (s *toolSession) experiment(h C.uintptr_t) (*experiment, error) {
	if e := s.handles[uintptr(h)]; e != nil {
		return e, nil
	}
	return nil, toolInvalidHandle
}

// do calls f with a handle of the session, or with all those that can do it.
func (s *toolSession) do(h C.uintptr_t, f func(e *experiment) error) error {
	if h != allHandles {
		e, err := s.experiment(h)
		if err != nil {
			return err
		}
		return f(e)
	}
	for _, e := range s.handles {
		if e.adds() {
			_ = f(e) // which is possible
		}
	}
	return nil
}

func mpiTPvarHandleFree(s *toolSession, h *C.uintptr_t) error {
	if h == nil || s.handles[uintptr(*h)] == nil {
		return toolInvalidHandle
	}
	tool.counting--
	delete(s.handles, uintptr(*h))
	*h = 0
	return nil
}

func mpiTPvarStart(s *toolSession, h C.uintptr_t) error { return s.do(h, (*experiment).start) }
func mpiTPvarStop(s *toolSession, h C.uintptr_t) error  { return s.do(h, (*experiment).stop) }
func mpiTPvarReset(s *toolSession, h C.uintptr_t) error { return s.do(h, (*experiment).reset) }

func mpiTPvarRead(s *toolSession, h C.uintptr_t, buf unsafe.Pointer) error {
	e, err := s.experiment(h)
	if err != nil {
		return err
	}
	return writeValue(buf, e.value(e.read(e.now())))
}

func mpiTPvarWrite(s *toolSession, h C.uintptr_t, buf unsafe.Pointer) error {
	e, err := s.experiment(h)
	switch {
	case err != nil:
		return err
	case !e.adds():
		return toolNoWrite
	case buf == nil:
		return toolInvalid
	}
	e.set(*(*uint64)(buf), e.now())
	return nil
}

// mpiTPvarReadreset loses nothing between both.
func mpiTPvarReadreset(s *toolSession, h C.uintptr_t, buf unsafe.Pointer) error {
	e, err := s.experiment(h)
	switch {
	case err != nil:
		return err
	case !e.adds():
		return toolNoAtomic
	}
	now := e.now()
	if err := writeValue(buf, e.read(now)); err != nil {
		return err
	}
	e.set(0, now)
	return nil
}
