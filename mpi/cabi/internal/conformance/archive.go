package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// errNotThere is why a source package cannot be had on this machine.
var errNotThere = errors.New("not there")

// source returns the folder of a source package of Debian's, which apt-get fetches the first time, without what Debian
// adds. Its tar gives only what matches the patterns, all if there are none. apt-get keeps its lists below the work
// folder: the machine's own are left alone, and no root is needed.
func (s settings) source(ctx context.Context, pkg string, patterns ...string) (string, error) {
	folder := filepath.Join(s.work, "src", pkg)
	if unpacked, _ := filepath.Glob(filepath.Join(folder, pkg+"-*")); len(unpacked) == 1 {
		return unpacked[0], nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	conf, err := s.aptConfiguration()
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{{"update", "-qq"}, {"source", "-qq", "--download-only", "--tar-only", pkg}} {
		command := exec.CommandContext(ctx, "apt-get", args...)
		command.Dir = folder
		command.Env = append(os.Environ(), "APT_CONFIG="+conf)
		if text, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: apt-get %s: %w: %s", errNotThere, args[0], err, firstError(string(text)))
		}
	}
	tars, _ := filepath.Glob(filepath.Join(folder, pkg+"_*.orig.tar.*"))
	if len(tars) != 1 {
		return "", fmt.Errorf("%w: apt-get source %s has fetched %d files instead of one", errNotThere, pkg, len(tars))
	}
	unpack := []string{"-C", folder, "-xf", tars[0]}
	if len(patterns) > 0 {
		unpack = append(append(unpack, "--wildcards"), patterns...)
	}
	if text, err := exec.CommandContext(ctx, "tar", unpack...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("tar %s: %w: %s", strings.Join(unpack, " "), err, text)
	}
	unpacked, _ := filepath.Glob(filepath.Join(folder, pkg+"-*"))
	if len(unpacked) != 1 {
		return "", fmt.Errorf("%s has %d folders instead of one", tars[0], len(unpacked))
	}
	return unpacked[0], nil
}

// aptConfiguration writes one that knows only the sources of this machine's release of Debian.
func (s settings) aptConfiguration() (string, error) {
	release := map[string]string{}
	text, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			release[key] = strings.Trim(value, `"`)
		}
	}
	codename := release["VERSION_CODENAME"]
	if release["ID"] != "debian" || codename == "" {
		return "", fmt.Errorf("%w: this is not a release of Debian", errNotThere)
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "", fmt.Errorf("%w: %w", errNotThere, err)
	}
	apt := filepath.Join(s.work, "apt")
	for _, folder := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(apt, folder), 0o755); err != nil {
			return "", err
		}
	}
	sources := "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian " + codename + " main\n"
	if err := os.WriteFile(filepath.Join(apt, "sources.list"), []byte(sources), 0o644); err != nil {
		return "", err
	}
	conf := filepath.Join(apt, "apt.conf")
	return conf, os.WriteFile(conf, fmt.Appendf(nil, `Dir::Etc::sourcelist "%s/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "%s/lists";
Dir::Cache "%s/cache";
APT::Sandbox::User "";
`, apt, apt, apt), 0o644)
}

// firstError is the line of a program's output that begins like an error, or the last one.
func firstError(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if last = strings.TrimSpace(line); strings.HasPrefix(last, "E: ") {
			return last
		}
	}
	return last
}
