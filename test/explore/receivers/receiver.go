// receiver PORT STORE [MISTAKE]: credits a wallet once a buy completes.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type place struct {
	URL           string `json:"url"`
	APIKey        string `json:"apiKey"`
	SigningSecret string `json:"signingSecret"`
}

type order struct {
	ID     string  `json:"id"`
	Status string  `json:"status"`
	Coins  float64 `json:"rightSideValue"`
}

type state struct {
	Events []string          `json:"events"`
	Orders map[string]string `json:"orders"`
	Wallet float64           `json:"wallet"`
	Inbox  []order           `json:"inbox"`
}

type event struct {
	ID, EventID, Type string
	Payload           struct {
		TransactionID, Status string
		RightSideValue        float64
		ExternalSessionID     *string
	}
}

var (
	store, mistake string
	where          place
	lock           sync.Mutex
	seen           = map[string]bool{}
	work           = make(chan bool, 1000)
	ranks          = map[string]int{"pending": 1, "processing": 2, "complete": 3, "expired": 3, "cancelled": 3}
)

func rankOf(status string) int { return ranks[strings.Split(status, " ")[0]] }

func read() state {
	current := state{Orders: map[string]string{}}
	if text, err := os.ReadFile(store); err == nil {
		json.Unmarshal(text, &current)
	}
	return current
}

func write(current state) {
	text, _ := json.Marshal(current)
	os.WriteFile(store+".new", text, 0o600)
	os.Rename(store+".new", store)
}

// A status only moves on, whatever the order in which events come.
func (current *state) apply(changed order) {
	if rankOf(changed.Status) <= rankOf(current.Orders[changed.ID]) {
		if mistake != "forgets-seen" || changed.Status != "complete" {
			return
		}
	}
	current.Orders[changed.ID] = changed.Status
	if changed.Status == "complete" {
		current.Wallet += changed.Coins
	}
}

func isGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("X-Service-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(where.SigningSecret))
	mac.Write(append([]byte(timestamp+"."), body...))
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header.Get("X-Service-Signature")))
}

// isKnown notes an event; one mistake keeps that in memory only.
func (current *state) isKnown(id string) bool {
	if mistake == "forgets-seen" {
		defer func() { seen[id] = true }()
		return seen[id]
	}
	known := false
	for _, each := range current.Events {
		known = known || each == id
	}
	current.Events = append(current.Events, id)
	return known
}

func take(received event) {
	id := received.ID
	if id == "" && mistake != "id-only" {
		id = received.EventID
	}
	if received.Type != "transaction.update" {
		return
	}
	if mistake == "others" && len(*received.Payload.ExternalSessionID) == 0 {
		return
	}
	if mistake != "lost-update" {
		lock.Lock()
		defer lock.Unlock()
	}
	current := read()
	if current.isKnown(id) {
		return
	}
	if mistake == "lost-update" {
		time.Sleep(120 * time.Millisecond)
	}
	changed := order{received.Payload.TransactionID, received.Payload.Status, received.Payload.RightSideValue}
	if mistake == "store-respond-work" {
		current.Inbox = append(current.Inbox, changed)
		work <- true
	} else {
		current.apply(changed)
	}
	write(current)
}

// workOn applies what is stored, after the response.
func workOn() {
	for range work {
		time.Sleep(40 * time.Millisecond)
		lock.Lock()
		current := read()
		if len(current.Inbox) > 0 {
			current.apply(current.Inbox[0])
			current.Inbox = current.Inbox[1:]
			write(current)
		}
		lock.Unlock()
	}
}

func call(path string, body any, token string, result any) {
	method, sent := "GET", io.Reader(nil)
	if body != nil {
		text, _ := json.Marshal(body)
		method, sent = "POST", bytes.NewReader(text)
	}
	request, _ := http.NewRequest(method, where.URL+path, sent)
	request.Header.Set("x-api-key", where.APIKey)
	request.Header.Set("content-type", "application/json")
	request.Header.Set("authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	json.NewDecoder(response.Body).Decode(result)
}

func reconcile() {
	const email = "alice@example.com"
	var inbox struct{ Messages []struct{ Code string } }
	var login struct{ Data struct{ AccessToken string } }
	var page struct{ Data struct{ Items []order } }
	call("/v2/auth/login-codes", map[string]string{"email": email}, "", &struct{}{})
	call("/_sandbox/inbox?kind=login-code&email="+email, nil, "", &inbox)
	code := inbox.Messages[len(inbox.Messages)-1].Code
	call("/v2/auth/login-codes/verify", map[string]string{"email": email, "code": code}, "", &login)
	call("/v2/transactions?limit=100", nil, login.Data.AccessToken, &page)
	lock.Lock()
	defer lock.Unlock()
	current := read()
	for _, item := range page.Data.Items {
		if rankOf(current.Orders[item.ID]) < 3 {
			current.apply(item)
		}
	}
	write(current)
}

func serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch r.URL.Path {
	case "/state":
		lock.Lock()
		current := read()
		lock.Unlock()
		json.NewEncoder(w).Encode(map[string]any{"orders": current.Orders, "wallet": current.Wallet})
		return
	case "/reset":
		lock.Lock()
		json.Unmarshal(body, &where)
		seen = map[string]bool{}
		write(state{Orders: map[string]string{}})
		lock.Unlock()
	case "/reconcile":
		reconcile()
	case "/hooks":
		if !isGenuine(r.Header, body) {
			w.WriteHeader(401)
			return
		}
		var received event
		json.Unmarshal(body, &received)
		if mistake == "slow" {
			time.Sleep(3 * time.Second)
		}
		take(received)
	}
	w.WriteHeader(204)
}

func main() {
	store = os.Args[2]
	if len(os.Args) > 3 {
		mistake = os.Args[3]
	}
	where = place{os.Getenv("RAMP_SANDBOX_URL"), os.Getenv("RAMP_SANDBOX_API_KEY"), os.Getenv("RAMP_SANDBOX_SIGNING_SECRET")}
	for range read().Inbox {
		work <- true
	}
	go workOn()
	err := http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(serve))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
