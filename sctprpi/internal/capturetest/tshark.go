// Package capturetest has tshark judge captures of SCTP over UDP, for the tests of this project. It
// needs the program tshark, of the Debian package of the same name.
package capturetest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Need returns where tshark is. Where it is missing it skips the test, unless CI is set in
// the environment: then it fails it.
func Need(t testing.TB) (program string) {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("this test needs tshark (apt-get install tshark): %v", err)
	}
	require.NoError(t, err, "this test needs tshark: apt-get install tshark")
	return program
}

// Fields returns, for each packet of the capture file path, the values that
// tshark gives to fields, which are named as in its display filters. A field
// that a packet has several times has its values joined by commas. UDP port
// port counts as SCTP, as port 9899 does in any case. CRC32c, UDP and IP
// checksums are verified; what users send is not looked into.
//
// A damaged file fails the test. Without tshark see Need.
func Fields(t testing.TB, path string, port uint16, fields ...string) [][]string {
	t.Helper()
	program := Need(t)

	args := []string{
		"-n", "-r", path,
		"-d", fmt.Sprintf("udp.port==%d,sctp", port),
		"-o", "sctp.checksum:CRC 32c",
		"-o", "sctp.ulp_dissection:FALSE",
		"-o", "udp.check_checksum:TRUE",
		"-o", "ip.check_checksum:TRUE",
		"-T", "fields", "-E", "separator=/t", "-E", "aggregator=,",
	}
	for _, field := range fields {
		args = append(args, "-e", field)
	}
	command := exec.CommandContext(t.Context(), program, args...)
	// An empty folder, so that no preferences of the user apply.
	command.Env = append(os.Environ(), "WIRESHARK_CONFIG_DIR="+t.TempDir())
	var failure bytes.Buffer
	command.Stderr = &failure
	output, err := command.Output()
	require.NoError(t, err, "tshark -r %s: %s", path, &failure)

	var packets [][]string
	for line := range strings.Lines(string(output)) {
		packets = append(packets, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return packets
}
