//go:build !linux

package driver

// alarm wakes a goroutine, and its thread with it.
type alarm struct{ rung chan struct{} }

func (a *alarm) open() { a.rung = make(chan struct{}, 1) }

// sleep returns when the alarm rings, or has rung.
func (a *alarm) sleep() { <-a.rung }

// ring ends a sleep, or the next one.
func (a *alarm) ring() {
	select {
	case a.rung <- struct{}{}:
	default:
	}
}

// quiet forgets that the alarm has rung.
func (a *alarm) quiet() {
	select {
	case <-a.rung:
	default:
	}
}
