// Does for libraries of Go what keys.mjs does for those of npm.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	golangjwt "github.com/golang-jwt/jwt"
	"gopkg.in/square/go-jose.v2"
	josejwt "gopkg.in/square/go-jose.v2/jwt"
)

type jwk struct{ Kid, X string }

type check struct {
	Key   string          `json:"key"`
	App   string          `json:"app"`
	Now   int64           `json:"now"`
	Plain bool            `json:"plain"`
	Jwks  json.RawMessage `json:"jwks"`
}

func ofGolangJWT(one check) (any, error) {
	var set struct{ Keys []jwk }
	if err := json.Unmarshal(one.Jwks, &set); err != nil {
		return nil, err
	}
	golangjwt.TimeFunc = func() time.Time { return time.Unix(one.Now, 0) }
	claims := golangjwt.MapClaims{}
	_, err := golangjwt.ParseWithClaims(one.Key, claims, func(token *golangjwt.Token) (any, error) {
		for _, key := range set.Keys {
			if key.Kid == token.Header["kid"] {
				x, err := base64.RawURLEncoding.DecodeString(key.X)
				return ed25519.PublicKey(x), err
			}
		}
		return nil, errors.New("no such kid")
	}, golangjwt.WithValidMethods([]string{"EdDSA"}))
	if err == nil && !claims.VerifyAudience(one.App, true) {
		return nil, errors.New("another audience")
	}
	return claims["exp"], err
}

func ofGoJose(one check) (any, error) {
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(one.Jwks, &set); err != nil {
		return nil, err
	}
	token, err := josejwt.ParseSigned(one.Key)
	if err != nil {
		return nil, err
	}
	claims := josejwt.Claims{}
	if err := token.Claims(&set, &claims); err != nil {
		return nil, err
	}
	expected := josejwt.Expected{Audience: josejwt.Audience{one.App}, Time: time.Unix(one.Now, 0)}
	if one.Plain {
		return *claims.Expiry, nil
	}
	return *claims.Expiry, claims.Validate(expected)
}

func main() {
	checks := map[string]func(check) (any, error){"golang-jwt": ofGolangJWT, "go-jose": ofGoJose}
	var cases []check
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	told := []string{}
	for _, one := range cases {
		exp, err := checks[os.Args[1]](one)
		if err != nil {
			told = append(told, err.Error())
		} else {
			told = append(told, fmt.Sprint("ok ", exp))
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(told)
}
