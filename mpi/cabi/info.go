package main

// #include "sctpmpi.h"
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

// givenInfo is an info that is not MPI_INFO_NULL.
type givenInfo = info.Info

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

func mpiInfoCreate() *info.Info { return new(info.Info) }

func mpiInfoCreateEnv(argc C.int, argv **C.char) *info.Info {
	args := os.Args
	if argc > 0 && argv != nil {
		args = nil
		for _, arg := range unsafe.Slice(argv, argc) {
			args = append(args, C.GoString(arg))
		}
	}
	return startInfo(args)
}

func mpiInfoDup(i *givenInfo) *info.Info { return i.Dup() }

func mpiInfoFree(h *C.uintptr_t) error {
	if infos.Remove(handle.Handle(*h)) == nil {
		return faultf(errInfo, "%#x is no info that can be freed", uintptr(*h))
	}
	*h = infoNull
	return nil
}

// infoKey is a text that can be a key of an info.
type infoKey = string

func keyOf(key *C.char) (infoKey, error) {
	text := C.GoString(key)
	if text == "" || len(text) > info.MaxKey {
		return "", faultf(errInfoKey, "a key of %d bytes; there must be 1 to %d", len(text), info.MaxKey)
	}
	return text, nil
}

func mpiInfoSet(i *givenInfo, key infoKey, value string) error {
	if len(value) > info.MaxValue {
		return faultf(errInfoValue, "a value of %d bytes for the key %q; there must be at most %d", len(value), key, info.MaxValue)
	}
	return i.Set("MPI_Info_set", key, value)
}

func mpiInfoDelete(i *givenInfo, key infoKey) error {
	if i.Delete("MPI_Info_delete", key) != nil {
		return faultf(errInfoNoKey, "there is no key %q", key)
	}
	return nil
}

func mpiInfoGet(i *givenInfo, key infoKey, length C.int, value *C.char, room C.int64_t, flag *C.int) error {
	if length < 0 {
		return faultf(errArg, "room for a value of %d bytes", int(length))
	}
	text, ok := i.Get(key)
	if *flag = truth(ok); ok {
		textTo(value, room, text)
	}
	return nil
}

func mpiInfoGetString(i *givenInfo, key infoKey, room *C.int, value *C.char, flag *C.int) {
	text, ok := i.Get(key)
	if *flag = truth(ok); ok {
		textTo(value, C.int64_t(*room), text)
		*room = C.int(len(text) + 1)
	}
}

func mpiInfoGetValuelen(i *givenInfo, key infoKey, length, flag *C.int) {
	text, ok := i.Get(key)
	if *flag = truth(ok); ok {
		*length = C.int(len(text))
	}
}

func mpiInfoGetNkeys(i *givenInfo) int { return len(i.Keys()) }

func mpiInfoGetNthkey(i *givenInfo, n int) (string, error) {
	keys := i.Keys()
	if n < 0 || n >= len(keys) {
		return "", faultf(errArg, "key %d of an info with %d", n, len(keys))
	}
	return keys[n], nil
}
