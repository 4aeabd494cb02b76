// Prints the signatures that wrong receivers in Go compute, one `name<TAB>signature` a line.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

var timestamp, secret = os.Args[1], os.Args[2]

func sign(message string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(message))
	return "v1=" + hex.EncodeToString(mac.Sum(nil))
}

func show(name, signature string) { fmt.Printf("%s\t%s\n", name, signature) }

func main() {
	raw, _ := io.ReadAll(os.Stdin)
	var event map[string]any
	if err := json.Unmarshal(raw, &event); err != nil {
		panic(err)
	}
	marshalled, _ := json.Marshal(event)
	show("json.Marshal of a map", sign(timestamp+"."+string(marshalled)))
	ordered, _ := json.Marshal(json.RawMessage(raw))
	show("json.Marshal of a RawMessage", sign(timestamp+"."+string(ordered)))
	indented, _ := json.MarshalIndent(event, "", "  ")
	show("json.MarshalIndent", sign(timestamp+"."+string(indented)))
	var encoded bytes.Buffer
	json.NewEncoder(&encoded).Encode(event)
	show("json.Encoder", sign(timestamp+"."+encoded.String()))
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	encoder.Encode(event)
	show("json.Encoder without HTML", sign(timestamp+"."+plain.String()))
	show("bytes with %v", sign(fmt.Sprintf("%s.%v", timestamp, raw)))
	show("no dot", sign(timestamp+string(raw)))
	show("milliseconds", sign(timestamp+"000."+string(raw)))
}
