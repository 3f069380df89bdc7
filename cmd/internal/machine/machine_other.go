//go:build !unix

package machine

func kernelRelease() string { return "" }
