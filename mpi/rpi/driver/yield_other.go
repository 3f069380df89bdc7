//go:build !linux

package driver

import "runtime"

// yield lets other goroutines run, as there is no portable way to let other processes.
func yield() { runtime.Gosched() }
