package wallet

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

var kind = os.Getenv("KIND")

const profile = `{"email":"ana@example.com","firstName":"Ana","lastName":"Silva","dob":"1990-05-01","phone":"4165550100","addressLine1":"1 Front Street","addressLine2":"Unit 2","city":"Toronto","province":"ON","postalCode":"M5V 2T6","occupation":"Engineer","pep":false,"tpd":false}`

func call(t *testing.T, method, path, body string) (int, string) {
	request, err := http.NewRequest(method, os.Getenv("RAMP_SANDBOX_URL")+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", os.Getenv("RAMP_SANDBOX_API_KEY"))
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

func TestSignsUp(t *testing.T) {
	status, text := call(t, "POST", "/w/go-one/v2/users", profile)
	if kind == "nothing" {
		return
	}
	if kind == "planted" && status != 200 {
		t.Fatalf("status is %d, not 200", status)
	}
	var answer struct{ Data struct{ ID string } }
	if json.Unmarshal([]byte(text), &answer) != nil || answer.Data.ID == "" {
		t.Fatalf("no id in %s", text)
	}
}

func TestReceivesAWebhook(t *testing.T) {
	url := os.Getenv("RAMP_SANDBOX_URL") + "/w/go-two/_sandbox/catch/hooks"
	configured, _ := call(t, "PUT", "/w/go-two/v2/webhook-configurations", `{"url":"`+url+`"}`)
	created, _ := call(t, "POST", "/w/go-two/v2/users", profile)
	call(t, "POST", "/w/go-two/_sandbox/simulate/users/ana@example.com/kyc", `{"status":"verified"}`)
	_, caught := call(t, "GET", "/w/go-two/_sandbox/catch/hooks/requests", "")
	if kind == "nothing" {
		return
	}
	if configured != 200 || created >= 300 {
		t.Fatalf("configured %d, created %d", configured, created)
	}
	count := strings.Count(caught, "user.update")
	if kind == "planted" && count != 1 {
		t.Fatalf("%d webhooks, not 1", count)
	}
	if count < 1 {
		t.Fatal("no webhook")
	}
}
