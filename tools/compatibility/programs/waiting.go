// waiting <method> <address> does for retryablehttp what waiting.mjs does for libraries of npm.
package main

import (
	"encoding/json"
	"io"
	"os"

	"github.com/hashicorp/go-retryablehttp"
)

func call(method, url string) map[string]any {
	var body any
	if method == "POST" {
		body = []byte(`{"key":"k","hwid":"device-1234"}`)
	}
	request, err := retryablehttp.NewRequest(method, url, body)
	if err != nil {
		return map[string]any{"error": err.Error(), "text": ""}
	}
	request.Header.Set("prefer", "wait=25")
	request.Header.Set("content-type", "application/json")
	client := retryablehttp.NewClient()
	client.Logger = nil
	answer, err := client.Do(request)
	if err != nil {
		return map[string]any{"error": err.Error(), "text": ""}
	}
	text, _ := io.ReadAll(answer.Body)
	return map[string]any{"status": answer.StatusCode, "text": string(text)}
}

func main() {
	_ = json.NewEncoder(os.Stdout).Encode(call(os.Args[1], os.Args[2]))
}
