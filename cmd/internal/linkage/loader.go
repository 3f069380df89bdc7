package linkage

import (
	"context"
	"debug/elf"
	"os/exec"
	"strings"
	"time"
)

// listTime is how long the dynamic linker may take: files may be on another host.
const listTime = 10 * time.Second

// linkerVariables are what the dynamic linker reads of an environment when it looks for libraries.
var linkerVariables = []string{"LD_LIBRARY_PATH", "LD_PRELOAD"}

// dependencies are all libraries that a file needs, and where they are found. Only the dynamic linker knows: it has its cache,
// the paths in each file, and folders of its own. It runs nothing of the program when it lists them. Not listed: it cannot be asked.
func dependencies(loader, file string, environment []string) (all []Library, listed bool) {
	if loader == "" { // of a module, which has none, it is that of programs
		if loader = loaderOfPrograms(); loader == "" {
			return nil, false
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), listTime)
	defer cancel()
	list := exec.CommandContext(ctx, loader, "--list", file)
	list.Env = []string{"LC_ALL=C"}
	for _, name := range linkerVariables {
		if value := last(environment, name); value != "" {
			list.Env = append(list.Env, name+"="+value)
		}
	}
	out, err := list.Output()
	if err != nil { // a library is missing: the program will say which when it is started
		return nil, false
	}
	return parseList(string(out)), true
}

// parseList reads what dynamic linkers write: "NAME => PATH (0xADDRESS)", or "PATH (0xADDRESS)" for themselves.
func parseList(text string) (all []Library) {
	for line := range strings.Lines(text) {
		name, path, found := strings.Cut(strings.TrimSpace(line), " => ")
		if !found {
			continue
		}
		if at := strings.LastIndex(path, " (0x"); at >= 0 {
			path = path[:at]
		}
		all = append(all, Library{Name: name, Path: path})
	}
	return all
}

// loaderOfPrograms is the dynamic linker of this system's programs.
func loaderOfPrograms() string {
	f, err := elf.Open("/bin/sh")
	if err != nil {
		return ""
	}
	defer f.Close()
	return loaderOf(f)
}
