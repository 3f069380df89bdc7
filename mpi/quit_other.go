//go:build !unix

package mpi

// reportOnQuit does nothing where there is no SIGQUIT.
func reportOnQuit(...*process) (stop func()) { return func() {} }
