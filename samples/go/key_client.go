// Gets a key of the key system. Standard library only; it needs verify_key.go.

package keysystem

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// How long the client waits after an answer, and after the first failure.
	usualPause = 5
	// For how many seconds the server may hold a call until there is news.
	longestHold = 25
	// What the pauses grow to while nothing is answered.
	longestPause = 60
	// What a Retry-After counts at most.
	longestRetryAfter = 300
	// An answer is shorter than this, in bytes.
	longestAnswer = 64 << 10
)

// The pages of the site's own apps. All others share one, whose address names the app.
var pages = map[string]string{
	"main":      "/key-system-1?",
	"companion": "/rosaverx/key-system-1?",
}

// No waiting helps against these: the app has asked a wrong question.
var finalCodes = map[string]bool{
	"request.invalid": true,
	"request.version": true,
	"KS_HWID":         true,
	"KS_ZONE":         true,
	"KS_APP":          true,
}

var retrySeconds = regexp.MustCompile(`^[0-9]{1,6}$`)

// Client gets and checks the key of one device. Use it from one goroutine.
type Client struct {
	// Site is its address, without a slash at its end.
	Site string
	// App is "main", "companion", or the id of a registered app.
	App string
	// HWID is the device: 6 to 128 letters, digits, dots, colons, dashes,
	// underscores.
	HWID string
	// Zone is a token of your own. Only calls with the same zone get the key.
	Zone string
	// Keys is the answer of /.well-known/jwks.json, pinned in the app. New
	// keys come with an update of the app, never from the network.
	Keys string
	// HighWater is the latest time that the server has signed, in seconds. Load
	// it from where the app stores things, and store it when the client is done.
	HighWater float64

	// Timeout of a call. 10 seconds when it is 0.
	Timeout time.Duration
	// Wait replaces the usual waiting, which ends with the context.
	Wait func(seconds float64)
	// Now replaces the device's clock, in seconds since 1970.
	Now func() float64
}

// Answer says how a device's key stands. Times are in milliseconds since 1970,
// by the server's clock.
type Answer struct {
	// Status is "active", "in_progress", "none" or "blocked".
	Status string
	// Key comes with "active", as ExpiresAt does.
	Key       string
	ExpiresAt float64
	// Step and Of come with "in_progress": the visitor is at step 2 of 3.
	Step, Of int
	// Reason comes with "blocked", and with "none" when it is "zone".
	Reason string
	// Until is when a block ends; 0 when it does not.
	Until float64
}

// Refusal means that the app has asked a wrong question. The page /errors
// explains each code.
type Refusal struct{ Code, Detail string }

func (refusal *Refusal) Error() string {
	return refusal.Code + ": " + refusal.Detail
}

// NoAnswer means that asking again later may help.
type NoAnswer struct {
	// Reason is "network", "server", "busy" or "answer".
	Reason string
	// RetryAfter is the pause that the server asks for, in seconds, or 0.
	RetryAfter float64
}

func (failure *NoAnswer) Error() string {
	return "no answer: " + failure.Reason
}

// Link is the page to open in the visitor's browser.
func (client *Client) Link() string {
	page, found := pages[client.App]
	if !found {
		page = "/apps/key-system-1?app=" + url.QueryEscape(client.App) + "&"
	}
	return client.Site + page + client.who().Encode()
}

// AskForKey asks for the key once. The error is a *Refusal, a *NoAnswer, or the
// end of the context.
func (client *Client) AskForKey(ctx context.Context) (Answer, error) {
	answer, _, err := client.askForKey(ctx, 0)
	return answer, err
}

// askForKey says as well whether the server has held the call.
func (client *Client) askForKey(ctx context.Context, hold int) (answer Answer, isHeld bool, err error) {
	query := client.who()
	query.Set("app", client.App)
	response, err := client.call(ctx, "GET", "/api/key?"+query.Encode(), nil, hold)
	if err != nil {
		return Answer{}, false, err
	}
	answer, isOurs := readAnswer(response)
	if !isOurs {
		return Answer{}, false, client.failureOf(response)
	}
	return answer, response.header.Get("Preference-Applied") != "", nil
}

// WaitForKey asks for the key until the app has something to do. "active":
// open the app. "blocked": wait until the given time. "none" with the reason
// "zone": open the page again, because the key was earned with another zone.
//
// It goes on through everything that may pass. onWaiting hears what it waits
// for, "network", "server", "busy", "answer" or "steps", and how many seconds.
// Both functions may be nil. The error is a *Refusal or the end of the context.
func (client *Client) WaitForKey(
	ctx context.Context, onAnswer func(Answer), onWaiting func(reason string, seconds float64),
) (Answer, error) {
	failures, hold := 0, 0
	for {
		answer, isHeld, err := client.askForKey(ctx, hold)
		reason, seconds := "steps", float64(usualPause)
		if failure, isPassing := err.(*NoAnswer); isPassing {
			reason, seconds = failure.Reason, pauseAfter(failures, failure)
			failures++
		} else if err != nil {
			return answer, err
		} else {
			failures, hold = 0, longestHold
			if isHeld {
				// The server has waited for us.
				seconds = 0
			}
			if onAnswer != nil {
				onAnswer(answer)
			}
			hasBegun := answer.Status == "in_progress"
			mayBegin := answer.Status == "none" && answer.Reason == ""
			if !hasBegun && !mayBegin {
				return answer, nil
			}
		}
		if onWaiting != nil {
			onWaiting(reason, seconds)
		}
		if err := client.wait(ctx, seconds); err != nil {
			return Answer{}, err
		}
	}
}

// Open opens the app with the key that it has stored, whether there is a
// network or not: a key that is right calls onOpen at once. Then the server is
// asked. Any code but "VALID" closes the app: the key has ended, or the server
// has withdrawn it.
func (client *Client) Open(ctx context.Context, cachedKey string, onOpen func()) string {
	verdict := VerifyKey(cachedKey, client.HWID, client.App, client.Keys, client.now(), client.HighWater)
	if verdict.Code != "VALID" {
		return verdict.Code
	}
	client.HighWater = math.Max(client.HighWater, verdict.HighWater)
	onOpen()

	code, err := client.CheckOnline(ctx, cachedKey)
	if err != nil || code == "UNTRUSTED" || code == "NO_ANSWER" {
		return "VALID"
	}
	return code
}

// CheckOnline has the server check a key. Only the server knows of withdrawn
// keys. It asks once. The code is the server's, proven by its signature, or
// "UNTRUSTED", or "NO_ANSWER". The only error is a *Refusal.
func (client *Client) CheckOnline(ctx context.Context, key string) (code string, err error) {
	random := make([]byte, 24)
	if _, err := rand.Read(random); err != nil {
		return "NO_ANSWER", nil
	}
	nonce := base64.RawURLEncoding.EncodeToString(random)
	body, _ := json.Marshal(map[string]string{
		"key": key, "hwid": client.HWID, "app": client.App, "nonce": nonce,
	})
	response, err := client.call(ctx, "POST", "/api/key/verify", body, 0)
	if err != nil {
		return "NO_ANSWER", nil
	}
	_, hasValid := response.object["valid"].(bool)
	_, hasCode := response.object["code"].(string)
	if response.status != http.StatusOK || !hasValid || !hasCode || !isFromServer(response.object) {
		if refusal, isFinal := client.failureOf(response).(*Refusal); isFinal {
			return "", refusal
		}
		return "NO_ANSWER", nil
	}
	verdict, _ := response.object["verdict"].(string)
	checked := VerifyVerdict(verdict, nonce, key, client.HWID, client.App, client.Keys)
	client.HighWater = math.Max(client.HighWater, checked.HighWater)
	return checked.Code, nil
}

// PublicKeys fetches what to pin as Keys in the next version of the app. Do not
// trust them at run time: a stranger's network could swap them.
func (client *Client) PublicKeys(ctx context.Context) (string, error) {
	response, err := client.call(ctx, "GET", "/.well-known/jwks.json", nil, 0)
	if err != nil {
		return "", err
	}
	if _, isList := response.object["keys"].([]any); !isList {
		return "", client.failureOf(response)
	}
	return string(response.body), nil
}

// response is a whole answer, from the server or from what is in between.
type response struct {
	status int
	header http.Header
	body   []byte
	// The body, or nil when it is no object.
	object map[string]any
}

// call asks once. The error is a *NoAnswer, or the end of the context.
func (client *Client) call(
	ctx context.Context, method, path string, body []byte, hold int,
) (*response, error) {
	failure := &NoAnswer{Reason: "network"}
	request, err := http.NewRequestWithContext(ctx, method, client.Site+path, bytes.NewReader(body))
	if err != nil {
		return nil, failure
	}
	request.Header.Set("API-Version", "1")
	request.Header.Set("Prefer", "wait="+strconv.Itoa(hold))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	timeout := client.Timeout
	if timeout == 0 {
		timeout = 10 * time.Second
	}
	// The timeout includes the time to read the body.
	timeout += time.Duration(hold) * time.Second
	answer, err := (&http.Client{Timeout: timeout}).Do(request)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		return nil, failure
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, longestAnswer+1))
	if err != nil {
		return nil, failure
	}
	heard := &response{status: answer.StatusCode, header: answer.Header, body: text}
	if len(text) > longestAnswer || json.Unmarshal(text, &heard.object) != nil {
		heard.object = nil
	}
	return heard, nil
}

// readAnswer accepts only what the server says about a key.
func readAnswer(from *response) (answer Answer, isOurs bool) {
	answer.Status, _ = from.object["status"].(string)
	status := http.StatusOK
	isWhole := false
	switch answer.Status {
	case "active":
		var hasKey, hasEnd bool
		answer.Key, hasKey = from.object["key"].(string)
		answer.ExpiresAt, hasEnd = from.object["expiresAt"].(float64)
		isWhole = hasKey && hasEnd
	case "in_progress":
		step, hasStep := from.object["step"].(float64)
		of, hasOf := from.object["of"].(float64)
		answer.Step, answer.Of = int(step), int(of)
		isWhole = hasStep && hasOf
	case "none":
		reason, hasReason := from.object["reason"]
		answer.Reason, _ = reason.(string)
		isWhole = !hasReason || answer.Reason == "zone"
	case "blocked":
		var hasReason, hasEnd bool
		until, isThere := from.object["until"]
		answer.Until, hasEnd = until.(float64)
		answer.Reason, hasReason = from.object["reason"].(string)
		isWhole = hasReason && (hasEnd || isThere && until == nil)
		status = http.StatusForbidden
	}
	return answer, isWhole && isFromServer(from.object) && from.status == status
}

// isFromServer looks for what every answer of ours contains.
func isFromServer(object map[string]any) bool {
	_, hasApp := object["app"].(string)
	now, _ := object["now"].(float64)
	return hasApp && now > 0
}

// failureOf tells a wrong question from what may pass.
func (client *Client) failureOf(from *response) error {
	code, _ := from.object["code"].(string)
	_, hasType := from.object["type"].(string)
	title, hasTitle := from.object["title"].(string)
	detail, hasDetail := from.object["detail"].(string)
	if !hasDetail {
		detail = title
	}
	switch {
	case from.status == http.StatusTooManyRequests || from.status == http.StatusServiceUnavailable:
		return &NoAnswer{"busy", client.retryAfter(from.header)}
	case from.status >= 500:
		return &NoAnswer{"server", client.retryAfter(from.header)}
	case from.status >= 400 && hasType && hasTitle && finalCodes[code]:
		return &Refusal{code, detail}
	default:
		return &NoAnswer{Reason: "answer"}
	}
}

// retryAfter reads Retry-After, in seconds or as a date. A date counts from the
// server's clock, when the answer tells it. 0 stands for anything absurd.
func (client *Client) retryAfter(header http.Header) float64 {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if retrySeconds.MatchString(value) {
		seconds, _ := strconv.ParseFloat(value, 64)
		return math.Min(seconds, longestRetryAfter)
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now := client.now()
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = float64(date.Unix())
	}
	return math.Min(math.Max(float64(until.Unix())-now, 0), longestRetryAfter)
}

// pauseAfter grows: 5, 10, 20, 40, 60 seconds, and up to 20 % more so that not
// every app comes back at once.
func pauseAfter(failures int, failure *NoAnswer) float64 {
	if failure.RetryAfter > 0 {
		return failure.RetryAfter
	}
	pause := math.Min(usualPause*math.Pow(2, float64(failures)), longestPause)
	random := make([]byte, 1)
	rand.Read(random)
	return pause * (1 + 0.2*float64(random[0])/255)
}

func (client *Client) who() url.Values {
	return url.Values{"hwid": {client.HWID}, "zone": {client.Zone}}
}

func (client *Client) now() float64 {
	if client.Now != nil {
		return client.Now()
	}
	return float64(time.Now().UnixMilli()) / 1000
}

// wait uses the monotonic clock, which nobody sets.
func (client *Client) wait(ctx context.Context, seconds float64) error {
	if client.Wait != nil {
		client.Wait(seconds)
		return nil
	}
	select {
	case <-time.After(time.Duration(seconds * float64(time.Second))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
