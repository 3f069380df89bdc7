package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

var infos = handle.NewTable[info.Info](handle.Info)

// environment is MPI_INFO_ENV.
var environment = sync.OnceValue(func() *info.Info { return startInfo(os.Args) })

// startInfo is what is known of the start of a program with these arguments.
func startInfo(args []string) *info.Info {
	i := new(info.Info)
	set := func(key, value string) {
		if value != "" && len(value) <= info.MaxValue {
			_ = i.Set("", key, value) // both are short
		}
	}
	if len(args) > 0 {
		set("command", args[0])
		set("argv", strings.Join(args[1:], " "))
	}
	if host, err := os.Hostname(); err == nil {
		set("host", host)
	}
	if dir, err := os.Getwd(); err == nil {
		set("wdir", dir)
	}
	return i
}

// infoOf is the info with a handle, nil for MPI_INFO_NULL.
func infoOf(h C.uintptr_t) (*info.Info, error) {
	switch {
	case h == infoNull:
		return nil, nil
	case h == infoEnv:
		return environment(), nil
	}
	if i := infos.Get(handle.Handle(h)); i != nil {
		return i, nil
	}
	return nil, noHandle(errInfo, handle.Info, uintptr(h), "info", "freed")
}

// someInfo is infoOf without MPI_INFO_NULL.
func someInfo(h C.uintptr_t) (*info.Info, error) {
	i, err := infoOf(h)
	if err == nil && i == nil {
		return nil, faultf(errInfo, "the info is MPI_INFO_NULL")
	}
	return i, err
}

// giveInfo passes a new info to the program. of is the object whose error handler counts.
func giveInfo(of owner, to *C.uintptr_t, i *info.Info, err error) C.int {
	if err != nil {
		return fail(of, err)
	}
	h := infos.Add(i)
	if h == 0 {
		return fail(of, tooMany("infos"))
	}
	*to = C.uintptr_t(h)
	return 0
}

//export sctpmpi_Info_create
func sctpmpi_Info_create(to *C.uintptr_t) C.int { return giveInfo(nil, to, new(info.Info), nil) }

//export sctpmpi_Info_create_env
func sctpmpi_Info_create_env(argc C.int, argv **C.char, to *C.uintptr_t) C.int {
	args := os.Args
	if argc > 0 && argv != nil {
		args = nil
		for _, arg := range unsafe.Slice(argv, argc) {
			args = append(args, C.GoString(arg))
		}
	}
	return giveInfo(nil, to, startInfo(args), nil)
}

//export sctpmpi_Info_dup
func sctpmpi_Info_dup(from C.uintptr_t, to *C.uintptr_t) C.int {
	i, err := someInfo(from)
	if err != nil {
		return fail(nil, err)
	}
	return giveInfo(nil, to, i.Dup(), nil)
}

//export sctpmpi_Info_free
func sctpmpi_Info_free(h *C.uintptr_t) C.int {
	if infos.Remove(handle.Handle(*h)) == nil {
		return fail(nil, faultf(errInfo, "%#x is no info that can be freed", uintptr(*h)))
	}
	*h = infoNull
	return 0
}

// keyOf is a key of an info.
func keyOf(key *C.char) (string, error) {
	text := C.GoString(key)
	if text == "" || len(text) > info.MaxKey {
		return "", faultf(errInfoKey, "a key of %d bytes; there must be 1 to %d", len(text), info.MaxKey)
	}
	return text, nil
}

//export sctpmpi_Info_set
func sctpmpi_Info_set(h C.uintptr_t, key, value *C.char) C.int {
	i, err := someInfo(h)
	if err != nil {
		return fail(nil, err)
	}
	k, err := keyOf(key)
	if err != nil {
		return fail(nil, err)
	}
	v := C.GoString(value)
	if len(v) > info.MaxValue {
		return fail(nil, faultf(errInfoValue, "a value of %d bytes for the key %q; there must be at most %d", len(v), k, info.MaxValue))
	}
	return fail(nil, i.Set("MPI_Info_set", k, v))
}

//export sctpmpi_Info_delete
func sctpmpi_Info_delete(h C.uintptr_t, key *C.char) C.int {
	i, err := someInfo(h)
	if err != nil {
		return fail(nil, err)
	}
	k, err := keyOf(key)
	if err != nil {
		return fail(nil, err)
	}
	if i.Delete("MPI_Info_delete", k) != nil {
		return fail(nil, faultf(errInfoNoKey, "there is no key %q", k))
	}
	return 0
}

// lookUp is the value of a key.
func lookUp(h C.uintptr_t, key *C.char) (value string, ok bool, err error) {
	i, err := someInfo(h)
	if err != nil {
		return "", false, err
	}
	k, err := keyOf(key)
	if err != nil {
		return "", false, err
	}
	value, ok = i.Get(k)
	return value, ok, nil
}

//export sctpmpi_Info_get
func sctpmpi_Info_get(h C.uintptr_t, key *C.char, length C.int, value *C.char, room C.int64_t, flag *C.int) C.int {
	text, ok, err := lookUp(h, key)
	if err != nil {
		return fail(nil, err)
	}
	if length < 0 {
		return fail(nil, faultf(errArg, "room for a value of %d bytes", int(length)))
	}
	if *flag = truth(ok); ok {
		textTo(value, room, text)
	}
	return 0
}

//export sctpmpi_Info_get_string
func sctpmpi_Info_get_string(h C.uintptr_t, key *C.char, room *C.int, value *C.char, flag *C.int) C.int {
	text, ok, err := lookUp(h, key)
	if err != nil {
		return fail(nil, err)
	}
	if *flag = truth(ok); ok {
		textTo(value, C.int64_t(*room), text)
		*room = C.int(len(text) + 1)
	}
	return 0
}

//export sctpmpi_Info_get_valuelen
func sctpmpi_Info_get_valuelen(h C.uintptr_t, key *C.char, length, flag *C.int) C.int {
	text, ok, err := lookUp(h, key)
	if err != nil {
		return fail(nil, err)
	}
	if *flag = truth(ok); ok {
		*length = C.int(len(text))
	}
	return 0
}

//export sctpmpi_Info_get_nkeys
func sctpmpi_Info_get_nkeys(h C.uintptr_t, n *C.int) C.int {
	i, err := someInfo(h)
	if err != nil {
		return fail(nil, err)
	}
	*n = C.int(len(i.Keys()))
	return 0
}

//export sctpmpi_Info_get_nthkey
func sctpmpi_Info_get_nthkey(h C.uintptr_t, n C.int, key *C.char, room C.int64_t) C.int {
	i, err := someInfo(h)
	if err != nil {
		return fail(nil, err)
	}
	keys := i.Keys()
	if n < 0 || int(n) >= len(keys) {
		return fail(nil, faultf(errArg, "key %d of an info with %d", int(n), len(keys)))
	}
	textTo(key, room, keys[n])
	return 0
}
