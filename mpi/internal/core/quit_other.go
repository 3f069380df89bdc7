//go:build !unix

package core

// reportOnQuit does nothing where there is no SIGQUIT.
func reportOnQuit(...*process) (stop func()) { return func() {} }
