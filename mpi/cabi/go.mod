module github.com/sctpmpi/sctpmpi/mpi/cabi

go 1.26.0

require (
	github.com/sctpmpi/sctpmpi v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
	golang.org/x/sys v0.49.0
)

require (
	github.com/flynn/noise v1.1.0 // indirect
	github.com/ishidawataru/sctp v0.0.0-20251114114122-19ddcbc6aae2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.58.0 // indirect
)

replace github.com/sctpmpi/sctpmpi => ../..
