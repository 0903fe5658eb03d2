// Package browsertest drives a headless Chromium in tests of the pages that Hornbeam writes.
package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Browser is a page in a headless Chromium, driven over the DevTools protocol on a pipe: no port, no library.
type Browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	last    int
	// Requests are the addresses of what the page loaded, Logs what it wrote to its console or threw.
	Requests, Logs []string
}

// message is an answer of the browser, or an event.
type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Open starts Chromium on the file, in a window of the size. Where there is none the test ends, and says so.
func Open(t *testing.T, file string, width, height int) *Browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("NOT TESTED: the page needs Chromium, and there is none on the PATH")
	}
	// Chromium reserves far more addresses than it uses.
	var addresses syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &addresses); err == nil && addresses.Cur < 1<<40 {
		t.Skip("NOT TESTED: the page needs Chromium, which does not start under a limit on address space (ulimit -v)")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	theirIn, ourOut, err := os.Pipe()
	require.NoError(t, err)
	ourIn, theirOut, err := os.Pipe()
	require.NoError(t, err)
	profile, err := os.MkdirTemp("", "hornbeam-page")
	require.NoError(t, err)
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-quic",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	// The protocol is spoken on the browser's descriptors 3 and 4.
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	require.NoError(t, cmd.Start())
	theirIn.Close()
	theirOut.Close()
	b := &Browser{t: t, to: ourOut, from: bufio.NewReaderSize(ourIn, 1<<20)}
	t.Cleanup(func() {
		b.to.Close()
		ourIn.Close()
		cancel()
		_ = cmd.Wait()
		_ = os.RemoveAll(profile)
	})

	var target struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.Call(domain+".enable", nil, nil)
	}
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.Show(file)
	return b
}

// Show goes to the file, in place of what the window shows; Requests and Logs begin anew.
func (b *Browser) Show(file string) {
	b.t.Helper()
	b.Requests, b.Logs = nil, nil
	path, err := filepath.Abs(file)
	require.NoError(b.t, err)
	page := (&url.URL{Scheme: "file", Path: path}).String()
	b.Call("Page.navigate", map[string]any{"url": page}, nil)
	require.Eventually(b.t, func() bool {
		return b.Eval(`document.readyState === "complete" && location.protocol === "file:"`) == true
	}, time.Minute, 50*time.Millisecond)
}

// Call sends a command and waits for its answer; events on the way are kept.
func (b *Browser) Call(method string, params any, into any) {
	b.t.Helper()
	b.last++
	if params == nil {
		params = map[string]any{}
	}
	request := map[string]any{"id": b.last, "method": method, "params": params}
	if b.session != "" {
		request["sessionId"] = b.session
	}
	line, err := json.Marshal(request)
	require.NoError(b.t, err)
	_, err = b.to.Write(append(line, 0))
	require.NoError(b.t, err)
	for {
		line, err := b.from.ReadBytes(0)
		require.NoError(b.t, err, "the browser ended")
		var m message
		require.NoError(b.t, json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &m))
		if m.ID == b.last {
			require.Nil(b.t, m.Error, "%s: %+v", method, m.Error)
			if into != nil {
				require.NoError(b.t, json.Unmarshal(m.Result, into))
			}
			return
		}
		switch m.Method {
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			require.NoError(b.t, json.Unmarshal(m.Params, &p))
			b.Requests = append(b.Requests, p.Request.URL)
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			b.Logs = append(b.Logs, string(m.Params))
		}
	}
}

// Eval is the value of a JavaScript expression in the page.
func (b *Browser) Eval(expression string, args ...any) any {
	b.t.Helper()
	if len(args) > 0 {
		expression = fmt.Sprintf(expression, args...)
	}
	var answer struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	require.Nil(b.t, answer.ExceptionDetails, expression)
	return answer.Result.Value
}

// Click clicks with the mouse in the middle of the element that the expression is.
func (b *Browser) Click(element string) {
	b.t.Helper()
	b.Eval(`%s.scrollIntoView({block: "center"})`, element)
	at := b.Eval(`(() => { const r = %s.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, element).([]any)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// Press presses a key, as the focused element gets it.
func (b *Browser) Press(key, text string, code int) {
	b.t.Helper()
	b.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code}, nil)
	b.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}

// Screenshot writes what the window shows to a PNG file, if HORNBEAM_SCREENSHOTS names a folder.
func (b *Browser) Screenshot(name string) {
	b.t.Helper()
	folder := os.Getenv("HORNBEAM_SCREENSHOTS")
	if folder == "" {
		return
	}
	var shot struct{ Data string }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	picture, err := base64.StdEncoding.DecodeString(shot.Data)
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644))
}

// Scheme has the browser tell the page that the user prefers a light or a dark color scheme.
func (b *Browser) Scheme(name string) {
	b.t.Helper()
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": name}}}, nil)
}
