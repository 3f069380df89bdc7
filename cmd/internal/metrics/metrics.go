// Package metrics shows a job that runs to Prometheus, and to browsers, over HTTP: mpirun --serve-metrics. What it shows are the looks of
// package sight, with the rates of package top.
//
//	/metrics      counters and gauges of each rank, as OpenMetrics 1.0 or in Prometheus's text format 0.0.4
//	/             a page: who waits for whom, a table of the ranks, rates over the last minutes
//	/sample.json  what the page shows
//
// # Who may look
//
// Who can connect to the loopback interface, unless a file has a token. Then, and at all other addresses, a token is needed, as
// "Authorization: Bearer TOKEN", or once as /?token=TOKEN, which gives a browser a cookie. Nothing can be changed by any request.
//
// # Bounds
//
// Ranks are asked once a second at most, however many ask how often, and not at all when none does. There are 24 connections at a time: each
// further one ends the oldest of the host that has most. A request has 5 seconds to come, and an answer 30 to be read. 900 looks are kept for
// the timeline.
package metrics

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/internal/unproven"
)

const (
	maxConnections = 24 // mpirun spares descriptors for so many
	maxHeader      = 16 << 10
	requestTime    = 5 * time.Second
	answerTime     = 30 * time.Second
	idleTime       = 2 * time.Minute // most scrapers come once a minute at least
)

// Server shows a job.
type Server struct {
	config    Config
	listeners []net.Listener
	access    access
	places    *unproven.Places // of connections
	http      http.Server
}

// New returns a server that does not listen yet.
func New(c Config) *Server { return &Server{config: c} }

// Listen takes the addresses, before the job begins. Serve answers.
func (s *Server) Listen() error {
	c := s.config
	token, err := c.token()
	if err != nil {
		return fmt.Errorf("--metrics-token-file: %w", err)
	}
	port := strconv.Itoa(c.Port)
	for i, host := range c.hosts() {
		l, err := net.Listen("tcp", net.JoinHostPort(host, port))
		inUse := errors.Is(err, syscall.EADDRINUSE)
		switch {
		case err != nil && i > 0 && (!inUse || c.Port == 0):
			continue // the host has no IPv6, or not this port of it
		case inUse:
			s.Close()
			return fmt.Errorf("--serve-metrics %s: %s is in use: choose another port", c.Address, net.JoinHostPort(host, port))
		case err != nil:
			return fmt.Errorf("--serve-metrics %s: %w", c.Address, err)
		}
		s.listeners = append(s.listeners, l)
		port = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	}
	s.access = newAccess(token, port)
	return nil
}

// Serve begins to answer. look returns how the job is now, or false when it has ended; it is called by one goroutine at a time.
func (s *Server) Serve(look func() (sight.Job, bool)) {
	s.places = unproven.New(maxConnections)
	s.http = http.Server{
		Handler:           s.access.guard(newMux(&watch{look: look})),
		ReadHeaderTimeout: requestTime, ReadTimeout: requestTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       log.New(io.Discard, "", 0), // what strangers do wrong is not the user's concern
		ConnState: func(conn net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				s.places.Enter(conn)
			case http.StateClosed:
				s.places.Leave(conn)
			}
		},
	}
	for _, l := range s.listeners {
		go func() { _ = s.http.Serve(l) }() // until Close
	}
}

// Close ends the server and its connections at once.
func (s *Server) Close() {
	for _, l := range s.listeners {
		_ = l.Close()
	}
	_ = s.http.Close()
}

// Welcome says where the job can be seen. A token that was made up is in it, for this is the only place where it is told.
func (s *Server) Welcome() string {
	host := s.config.hosts()[0]
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		if host, _ = os.Hostname(); host == "" {
			host = "localhost"
		}
	}
	url := "http://" + net.JoinHostPort(host, strconv.Itoa(s.listeners[0].Addr().(*net.TCPAddr).Port)) + "/"
	switch {
	case s.config.TokenFile != "":
		return fmt.Sprintf("the job can be seen at %s?token=TOKEN, by those who know the TOKEN in the file %s; /metrics is for Prometheus, with it as bearer token", url, s.config.TokenFile)
	case s.access.token != nil:
		return fmt.Sprintf("the job can be seen at %s?token=%s by those who know this token; /metrics is for Prometheus, with it as bearer token", url, s.access.token)
	}
	return fmt.Sprintf("the job can be seen at %s by the users of this host; /metrics is for Prometheus", url)
}
