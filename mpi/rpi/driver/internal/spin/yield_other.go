//go:build !linux

package spin

import "runtime"

// Yield lets other goroutines run, as there is no portable way to let other processes.
func Yield() { runtime.Gosched() }
