//go:build !amd64

package processor

func current() int { return getcpu() }
