//go:build !unix

package enginebench

func kernelRelease() string { return "" }
