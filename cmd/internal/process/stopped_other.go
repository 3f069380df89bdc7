//go:build !linux

package process

// Stopped is not known.
func (p *Process) Stopped() bool { return false }
