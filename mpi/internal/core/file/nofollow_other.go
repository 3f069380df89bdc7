//go:build !unix

package file

const noFollow = 0
