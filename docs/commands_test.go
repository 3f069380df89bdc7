package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Commands on the pages stand in fenced blocks. A block marked
//
//	sh            runs as it stands;
//	sh elsewhere  needs other hosts or programs. Options of mpirun are parsed by mpirun itself, targets of make by make.
var (
	block   = regexp.MustCompile("(?ms)^```(\\S[^\n]*)?\n(.*?)^```$")
	comment = regexp.MustCompile(`(?m)\s+# .*$`)
	doctor  = regexp.MustCompile(`(?m)^mpirun doctor$`)
	ours    = regexp.MustCompile(`(?m)^(bin/)?(mpirun|mpibench|netlab|make|go|ssh|srun|mpiexec\.hydra) `)
)

func TestCommandsOnPages(t *testing.T) {
	dir := t.TempDir()
	for target, what := range map[string]string{"bin/": "../cmd/mpirun ../cmd/mpibench", "prog": "../cmd/examples/ring"} {
		args := append([]string{"build", "-o", filepath.Join(dir, target)}, strings.Fields(what)...)
		if target == "bin/" {
			args[2] += "/"
		}
		out, err := exec.Command("go", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for _, name := range []string{"hello", "manager", "worker"} {
		require.NoError(t, os.Link(filepath.Join(dir, "prog"), filepath.Join(dir, name)))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hosts"), []byte("a:4\nb:4\n"), 0o644))
	clone, err := filepath.Abs("..")
	require.NoError(t, err)
	environment := append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"),
		"PBS_NODEFILE=hosts", "LSB_DJOB_HOSTFILE=hosts", "GOFLAGS=-mod=mod")
	run := func(t *testing.T, script string) {
		t.Helper()
		shell := exec.Command("sh", "-e", "-c", strings.ReplaceAll(script, "/path/to/the/clone", "'"+clone+"'"))
		shell.Dir, shell.Env = dir, environment
		out, err := shell.CombinedOutput()
		assert.NoError(t, err, "%s\n%s", script, out)
	}

	checked := 0
	for page, text := range pages(t) {
		t.Run(page, func(t *testing.T) {
			for _, b := range block.FindAllStringSubmatch(text, -1) {
				marker, commands := b[1], comment.ReplaceAllString(b[2], "")
				switch marker {
				case "sh":
					checked++
					// A host may lack something: then doctor has status 1.
					run(t, doctor.ReplaceAllString(commands, "$0 || [ $$? -eq 1 ]"))
				case "sh elsewhere":
					for line := range strings.Lines(commands) {
						for command := range strings.SplitSeq(strings.TrimSpace(line), "&&") {
							if parsed := parse(command); parsed != "" {
								checked++
								run(t, parsed)
							}
						}
					}
				case "":
					if page == "README.md" || page == "docs/launching.md" {
						assert.NotRegexp(t, ours, commands, "mark the block as sh or as sh elsewhere")
					}
				}
			}
		})
	}
	assert.Greater(t, checked, 30)
}

// parse returns the command by which a command is parsed and not carried out, or nothing if it is none of ours.
func parse(command string) string {
	command, _, _ = strings.Cut(command, " | ")
	words := strings.Fields(command)
	for i, word := range words {
		if regexp.MustCompile(`^[A-Z_]+=`).MatchString(word) {
			continue // a variable of the command
		}
		switch word = strings.TrimPrefix(word, "bin/"); {
		case word == "make":
			return command + " -n -f /path/to/the/clone/Makefile"
		case word != "mpirun":
			return ""
		case len(words) > i+1 && slices.Contains([]string{"status", "top", "doctor", "serve", "connect"}, words[i+1]):
			return strings.Replace(command, words[i], word, 1) + " --help"
		default: // 127: the program is elsewhere
			return strings.Replace(command, words[i], word+" --dry-run", 1) + " || [ $? -eq 127 ]"
		}
	}
	return ""
}
