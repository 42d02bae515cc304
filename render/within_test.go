package render

import "testing"

func TestWithin(t *testing.T) {
	const folder = "/srv/shop"
	for in, want := range map[string]string{
		"/srv/shop/src/a.js":                          "src/a.js",
		"cat /srv/shop/a /srv/shop/b":                 "cat a b",
		"cd /srv/shop && ls":                          "cd /srv/shop && ls",
		"ls /srv/shop/":                               "ls /srv/shop/",
		"ls /srv/shop/ -l":                            "ls /srv/shop/ -l",
		"/srv/shopping/a":                             "/srv/shopping/a",
		"/mnt/srv/shop/a":                             "/mnt/srv/shop/a",
		`open "/srv/shop/.env"`:                       `open ".env"`,
		"error at file:/srv/shop/t.js:4, /srv/shop/u": "error at file:t.js:4, u",
		"": "",
	} {
		if got := Within(in, folder); got != want {
			t.Errorf("Within(%q) = %q, want %q", in, got, want)
		}
		if got := Within(in, "/"); got != in {
			t.Errorf("Within(%q, /) = %q", in, got)
		}
	}
	if got := Within(`C:\work\a.go`, `C:\work\`); got != "a.go" {
		t.Errorf("a path of Windows became %q", got)
	}
}
