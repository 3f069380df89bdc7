//go:build !unix

package trace

const noFollow = 0
