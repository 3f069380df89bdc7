//go:build !unix

package farm

const noFollow = 0
