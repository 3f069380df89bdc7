module github.com/sctpmpi/sctpmpi/cmd/sctpbench/pion

go 1.26.0

replace github.com/sctpmpi/sctpmpi => ../../..

require (
	github.com/pion/sctp v1.11.3
	github.com/sctpmpi/sctpmpi v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/pion/logging v0.2.4 // indirect
	github.com/pion/randutil v0.1.0 // indirect
	github.com/pion/transport/v5 v5.0.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
