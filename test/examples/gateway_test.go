// Tests in Go, with the standard library alone. Run them by: npx gateway-mock exec -- go test ./...
package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Gateway is the gateway of one test: a session of the server, controlled by its admin API.
type Gateway struct {
	baseURL, adminURL string
	used, asked       int32 // atomic, since code under test may run in goroutines
	t                 *testing.T

	AllowNoCalls bool // whether the test may take the gateway without calling it
}

// call is a request of the journal.
type call struct {
	Ordinal               int
	Method, Path, Nearest string
}

// BaseURL is for the code under test.
func (gateway *Gateway) BaseURL() string {
	atomic.StoreInt32(&gateway.used, 1)
	return gateway.baseURL
}

// NewGateway begins a session. At its end, the test fails for requests that matched no operation or missed the session, for faults
// that did nothing, and if it took the gateway, but called nothing.
func NewGateway(t *testing.T) *Gateway {
	t.Helper()
	root := strings.TrimSuffix(os.Getenv("GATEWAY_BASE_URL"), "/v1")
	if root == "" {
		t.Fatal("There is no gateway. Run the tests by: npx gateway-mock exec -- go test ./...")
	}
	name := fmt.Sprintf("go-%d-%d", os.Getpid(), time.Now().UnixNano())
	session := root + "/sessions/" + name
	gateway := &Gateway{baseURL: session + "/v1", adminURL: session + "/__admin", t: t}
	gateway.admin("/sessions/create", map[string]string{"name": name}, nil)
	// No test has the default session: what it gets missed the session of a test.
	defaultSession := &Gateway{adminURL: root + "/__admin", t: t}
	all := map[string]bool{"bodies": false, "kept": true}
	var before []call
	defaultSession.admin("/requests/list", all, &before)
	t.Cleanup(func() {
		isSilent := gateway.isSilent() // first, since it waits
		var strays, missed []call
		var idle []struct{ Fault, Unused string }
		gateway.admin("/requests/list", map[string]bool{"unmatched": true}, &strays)
		gateway.admin("/faults/list", map[string]bool{"unused": true}, &idle)
		gateway.admin("/sessions/delete", map[string]string{"name": name}, nil)
		defaultSession.admin("/requests/list", all, &missed)
		for _, stray := range strays {
			t.Errorf("%s %s matched no operation: %s", stray.Method, stray.Path, stray.Nearest)
		}
		for _, call := range missed {
			if len(before) == 0 || call.Ordinal > before[len(before)-1].Ordinal {
				t.Errorf("%s %s of this test, or of one that ran at the same time, went to the default session, not to gateway.BaseURL()", call.Method, call.Path)
			}
		}
		if t.Failed() || t.Skipped() {
			return
		}
		for _, fault := range idle {
			t.Errorf("the fault %s did nothing: %s", fault.Fault, fault.Unused)
		}
		if !t.Failed() && isSilent {
			t.Error("If this test shows that nothing is sent, ask: gateway.Admin(\"/requests/count\", nil, &count). If it needs no calls: gateway.AllowNoCalls = true. " +
				"The test took its gateway, but no request arrived there. Does the code under test use gateway.BaseURL()?")
		}
	})
	return gateway
}

// isSilent reports whether the test took the gateway, but no request arrives within a second, nor a preflight.
func (gateway *Gateway) isSilent() bool {
	isTaken := atomic.LoadInt32(&gateway.used) == 1 && atomic.LoadInt32(&gateway.asked) == 0
	if !isTaken || gateway.AllowNoCalls || gateway.t.Failed() || gateway.t.Skipped() {
		return false
	}
	for try := 0; try < 20; try++ {
		var state struct{ Requests int }
		gateway.admin("/state/export", nil, &state)
		if state.Requests > 0 {
			return false
		}
		time.Sleep(50 * time.Millisecond)
	}
	return true
}

var (
	questions = regexp.MustCompile("^/(requests/|faults/list|quotas/(list|isEnforced)|state/|scenario/|reset)")
	reads     = regexp.MustCompile("/(list|get|count|now)$")
)

// Admin calls a command of the admin API, and reads its reply into result, unless that is nil.
func (gateway *Gateway) Admin(path string, body, result any) {
	gateway.t.Helper()
	if questions.MatchString(path) {
		atomic.StoreInt32(&gateway.asked, 1)
	} else if !reads.MatchString(path) {
		atomic.StoreInt32(&gateway.used, 1)
	}
	gateway.admin(path, body, result)
}

func (gateway *Gateway) admin(path string, body, result any) {
	gateway.t.Helper()
	header := http.Header{"Content-Type": {"application/json"}}
	if token := os.Getenv("GATEWAY_ADMIN_TOKEN"); token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	if err := send("POST", gateway.adminURL+path, header, body, result); err != nil {
		gateway.t.Fatal(err)
	}
}

// Get calls the gateway with keys that it accepts.
func (gateway *Gateway) Get(path string, result any) error {
	return send("GET", gateway.BaseURL()+path, http.Header{
		"X-Gateway-Api-Key":     {os.Getenv("GATEWAY_API_KEY")},
		"X-Gateway-Virtual-Key": {os.Getenv("GATEWAY_VIRTUAL_KEY")},
	}, nil, result)
}

func send(method, url string, header http.Header, body, result any) error {
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, url, &text)
	if err != nil {
		return err
	}
	request.Header = header
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode >= 400 {
		var failure struct{ Error struct{ Message string } }
		if json.NewDecoder(reply.Body).Decode(&failure) != nil || failure.Error.Message == "" {
			return fmt.Errorf("%s %s: %s", method, url, reply.Status)
		}
		return fmt.Errorf("%s: %s", reply.Status, failure.Error.Message)
	}
	if result == nil {
		return nil
	}
	return json.NewDecoder(reply.Body).Decode(result)
}

type batches struct{ Data []struct{ ID, Status string } }

func TestFailedBatchIsListed(t *testing.T) {
	t.Parallel()
	gateway := NewGateway(t)
	var created struct{ ID string }
	fields := map[string]string{"status": "failed"}
	gateway.Admin("/records/batches/create", map[string]any{"fields": fields}, &created)
	var page batches
	if err := gateway.Get("/batches", &page); err != nil {
		t.Fatal(err)
	}
	for _, batch := range page.Data {
		if batch.ID == created.ID && batch.Status == "failed" {
			return
		}
	}
	t.Errorf("%s is not listed as failed", created.ID)
}

func TestBusyGatewayAnswers503(t *testing.T) {
	t.Parallel()
	gateway := NewGateway(t)
	gateway.Admin("/faults/add", map[string][]string{"faults": {"listBatches#1: 503"}}, nil)
	if err := gateway.Get("/batches", nil); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("the first call: %v", err)
	}
	if err := gateway.Get("/batches", nil); err != nil {
		t.Errorf("the second call: %v", err)
	}
}
