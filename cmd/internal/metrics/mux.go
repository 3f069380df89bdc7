package metrics

import (
	"embed"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

// page are the files of the page, as they are: nothing is built.
//
//go:embed page
var page embed.FS

// newMux answers requests that may look.
func newMux(w *watch) *http.ServeMux {
	mux := http.NewServeMux()
	files, _ := fs.Sub(page, "page")
	mux.Handle("/", http.FileServerFS(files))
	mux.HandleFunc("/metrics", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Vary", "Accept")
		w.show(rw, func(v *view) (contentType string, body []byte) {
			if strings.Contains(r.Header.Get("Accept"), "application/openmetrics-text") {
				return "application/openmetrics-text; version=1.0.0; charset=utf-8", v.openMetrics()
			}
			return "text/plain; version=0.0.4; charset=utf-8", v.plain()
		})
	})
	mux.HandleFunc("/sample.json", func(rw http.ResponseWriter, r *http.Request) {
		after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // 0 for all
		w.show(rw, func(v *view) (string, []byte) { return "application/json", v.answer(after) })
	})
	return mux
}

// show answers with how the job is.
func (w *watch) show(rw http.ResponseWriter, as func(v *view) (contentType string, body []byte)) {
	v := w.see()
	if v == nil {
		refuse(rw, http.StatusServiceUnavailable, "the job has ended")
		return
	}
	contentType, body := as(v)
	rw.Header().Set("Content-Type", contentType)
	rw.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = rw.Write(body)
}
