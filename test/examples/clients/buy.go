// A complete buy in Go, using the environment variables that `ramp-sandbox exec` sets.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

var (
	base  = os.Getenv("RAMP_SANDBOX_URL")
	key   = os.Getenv("RAMP_SANDBOX_API_KEY")
	token string
)

const email = "alice@example.com"

type object map[string]any

func main() {
	sandbox("POST", "/reset", object{"fixture": "verified-user", "clock": "frozen"})
	api("POST", "/auth/login-codes", object{"email": email})
	inbox := sandbox("GET", "/inbox?kind=login-code&email="+email, nil)
	code := inbox["messages"].([]any)[0].(map[string]any)["code"]
	token = api("POST", "/auth/login-codes/verify", object{"email": email, "code": code})["accessToken"].(string)

	quote := api("GET", "/quotes?leftSideLabel=CAD&leftSideValue=1000&rightSideLabel=USDC-ETH", nil)
	transaction := api("POST", "/transactions", object{
		"leftSideLabel":     "CAD",
		"leftSideValue":     1000,
		"rightSideLabel":    "USDC-ETH",
		"quoteId":           quote["quoteId"],
		"wallet":            "0x52908400098527886E0F7030069857D2E4169EE7",
		"externalSessionId": "session-1",
	})
	id := transaction["id"].(string)

	sandbox("POST", "/simulate/transactions/"+id+"/funds-received", nil)
	sandbox("POST", "/simulate/transactions/"+id+"/settled", nil)
	bought := api("GET", "/transactions/"+id, nil)
	if bought["status"] != "complete" || bought["rightSideValue"] != transaction["rightSideValue"] {
		log.Fatalf("not as expected: %v", bought)
	}
	fmt.Printf("bought %v %v: %v\n", bought["rightSideValue"], bought["rightSideLabel"], bought["status"])
}

// api calls the provider's API, as your own client does.
func api(method, path string, body object) map[string]any {
	return call(method, "/v2"+path, body)["data"].(map[string]any)
}

// sandbox calls the control API, to do what the outside world does.
func sandbox(method, path string, body object) map[string]any {
	return call(method, "/_sandbox"+path, body)
}

func call(method, path string, body object) map[string]any {
	var sent io.Reader
	if method != "GET" {
		if body == nil {
			body = object{}
		}
		text, err := json.Marshal(body)
		check(err)
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, base+path, sent)
	check(err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-api-key", key)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s %s responded with %d: %s", method, path, response.StatusCode, text)
	}
	received := map[string]any{}
	check(json.Unmarshal(text, &received))
	return received
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
