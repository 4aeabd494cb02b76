package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"
)

// This test has its own world, created by the first call.
var world = os.Getenv("RAMP_SANDBOX_URL") + "/w/expiry-go"

func control(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	request, err := http.NewRequest(method, world+"/_sandbox"+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var result map[string]any
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil || response.StatusCode != 200 {
		t.Fatalf("%s %s responded with %d: %v", method, path, response.StatusCode, result)
	}
	return result
}

func TestUnpaidBuyExpires(t *testing.T) {
	control(t, "POST", "/reset", `{"fixture":"verified-user","clock":"frozen"}`)
	bought := control(t, "POST", "/simulate/users/alice@example.com/buy", `{"cad":250}`)
	id := bought["transaction"].(map[string]any)["id"].(string)

	control(t, "POST", "/clock/advance", `{"by":"1h"}`)

	if status := control(t, "GET", "/transactions/"+id, "")["status"]; status != "expired" {
		t.Errorf("status is %v, not expired", status)
	}
}
