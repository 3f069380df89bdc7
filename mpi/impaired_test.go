package mpi

import (
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/pertrc"
)

// Impaired is the name of a transport of the tests: SCTP over a network that loses,
// reorders and duplicates packets. All suites run over it too. ImpairedPertrc are sctp-pertrc over such a network, with as
// many streams as there can be and with 1,024. They are there in long tests only.
const Impaired = "sctp-impaired"

var ImpairedPertrc = map[string]int{"sctp-pertrc-impaired": 0, "sctp-pertrc-impaired-1024": 1024}

// Cut is Impaired with links that are cut for a while, and heal. Only random programs run over it.
const Cut = "sctp-cut"

func init() {
	listen := enginetest.ListenImpaired()
	options := func(name string, streams int) sctprpi.Options {
		return sctprpi.Options{Name: name, Streams: streams, Listen: listen}
	}
	add := func(name string, open rpi.Open) {
		transports.All = append(transports.All, transports.Transport{Name: name, Open: open})
	}
	add(Impaired, func(cfg rpi.Config) (rpi.Transport, error) { return sctprpi.New(cfg, options(Impaired, 0)) })
	cut := enginetest.ListenCut(enginetest.Cuts{Up: 300, Down: 8})
	add(Cut, func(cfg rpi.Config) (rpi.Transport, error) {
		return sctprpi.New(cfg, sctprpi.Options{Name: Cut, Listen: cut})
	})
	if os.Getenv("SCTPMPI_TEST_LONG") == "" {
		return
	}
	for name, streams := range ImpairedPertrc {
		add(name, func(cfg rpi.Config) (rpi.Transport, error) { return pertrc.New(cfg, options(name, streams)) })
	}
}
