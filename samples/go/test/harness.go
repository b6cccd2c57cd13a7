// Runs the sample for the tests: see samples/test-protocol.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"keysystem"
)

var lines = bufio.NewReaderSize(os.Stdin, 1<<20)

func main() {
	if os.Args[1] == "verify" {
		verifyAll()
		return
	}
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		playRound(strings.Split(strings.TrimRight(line, "\n"), " "))
		tell("done")
	}
}

func tell(words ...any) {
	fmt.Println(words...)
}

func verifyAll() {
	var told struct {
		Common            map[string]any
		Vectors, Verdicts []map[string]any
	}
	text, _ := io.ReadAll(os.Stdin)
	if err := json.Unmarshal(text, &told); err != nil {
		panic(err)
	}
	field := func(of map[string]any, name string) any {
		if value, isThere := of[name]; isThere {
			return value
		}
		return told.Common[name]
	}
	str := func(of map[string]any, name string) string {
		text, _ := field(of, name).(string)
		return text
	}
	keys := func(of map[string]any) string {
		text, _ := json.Marshal(field(of, "jwks"))
		return string(text)
	}
	number := func(of map[string]any, name string) float64 {
		if value, isNumber := field(of, name).(float64); isNumber {
			return value
		}
		return math.NaN()
	}
	for _, vector := range told.Vectors {
		tell(attempt(func() string {
			return keysystem.VerifyKey(str(vector, "key"), str(vector, "hwid"), str(vector, "app"), keys(vector),
				number(vector, "now"), number(vector, "highWater")).Code
		}))
	}
	for _, vector := range told.Verdicts {
		tell(attempt(func() string {
			checked := keysystem.VerifyVerdict(str(vector, "verdict"), str(vector, "nonce"), str(vector, "key"),
				str(vector, "hwid"), str(vector, "app"), keys(vector))
			if checked.HighWater == 0 {
				return checked.Code
			}
			return checked.Code + " " + decimal(checked.HighWater)
		}))
	}
}

// attempt tells what was raised instead of a result.
func attempt(what func() string) (result string) {
	defer func() {
		if raised := recover(); raised != nil {
			result = fmt.Sprint("raised ", raised)
		}
	}()
	return what()
}

func playRound(fields []string) {
	site, app, hwid, zone, cached, keys := fields[0], fields[1], fields[2], fields[3], fields[7], fields[8]
	timeout, _ := strconv.ParseFloat(fields[4], 64)
	clock, _ := strconv.ParseFloat(fields[5], 64)
	highWater, _ := strconv.ParseFloat(fields[6], 64)
	now := func() float64 { return float64(time.Now().UnixMilli())/1000 + clock }

	ctx := context.Background()
	if keys == "-" {
		keys, _ = (&keysystem.Client{Site: site}).PublicKeys(ctx)
	}
	client := &keysystem.Client{
		Site: site, App: app, HWID: hwid, Zone: zone, Keys: keys, HighWater: highWater,
		Timeout: time.Duration(timeout * float64(time.Second)),
		Wait: func(seconds float64) {
			tell("wait", decimal(seconds))
			if _, err := lines.ReadString('\n'); err != nil {
				os.Exit(1)
			}
		},
		Now: now,
	}
	failed := attempt(func() string {
		tell("link", client.Link())
		if cached != "-" {
			code := client.Open(ctx, cached, func() { tell("opened") })
			tell("open", code)
			if code == "VALID" {
				tell("high water", decimal(client.HighWater))
				return ""
			}
		}
		answer, err := client.WaitForKey(ctx, func(answer keysystem.Answer) {
			if answer.Status == "in_progress" {
				tell("answer", answer.Status, answer.Step)
			} else {
				tell("answer", answer.Status)
			}
		}, func(reason string, seconds float64) { tell("waiting", reason, decimal(seconds)) })
		if err == nil && answer.Status == "active" {
			check := func(hwid string) string {
				return keysystem.VerifyKey(answer.Key, hwid, app, keys, now(), client.HighWater).Code
			}
			tell("offline", check(hwid))
			tell("offline elsewhere", check("another-device"))
			var code string
			code, err = client.CheckOnline(ctx, answer.Key)
			if err == nil {
				tell("online", code)
			}
		}
		var refusal *keysystem.Refusal
		if errors.As(err, &refusal) {
			return "refused " + refusal.Code
		} else if err != nil {
			return "raised " + err.Error()
		}
		tell("high water", decimal(client.HighWater))
		return ""
	})
	if failed != "" {
		tell(failed)
	}
}

func decimal(seconds float64) string {
	return strconv.FormatFloat(seconds, 'f', -1, 64)
}
