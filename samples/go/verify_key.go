// Package keysystem is an app of the key system: a check of keys on the
// device, and a client that gets the key. Standard library only.
package keysystem

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"
)

// How many seconds a device's clock may be behind the server's.
const clockSkew = 300

// Verdict is the result of a check. Only the code "VALID" opens the app.
type Verdict struct {
	Code string
	// ExpiresAt is in seconds since 1970; 0 when the content is not proven.
	ExpiresAt float64
	// HighWater comes with "VALID", and with a verdict about a key of ours:
	// store it for the next check. 0 stands for none.
	HighWater float64
}

// VerifyKey checks a key without the server. An app does this at each start.
//
// jwks is the answer of /.well-known/jwks.json, pinned in the app. now is the
// device's clock, in seconds since 1970, and highWater the latest time of the
// server that the app has stored. It never panics, whatever it is given.
func VerifyKey(key, hwid, app, jwks string, now, highWater float64) Verdict {
	claims, code := readSigned(key, "key+jws", jwks)
	if code != "" {
		return Verdict{Code: code}
	}
	aud, hasAud := claims["aud"].(string)
	sub, hasSub := claims["sub"].(string)
	iat, hasIat := claims["iat"].(float64)
	nbf, hasNbf := claims["nbf"].(float64)
	exp, hasExp := claims["exp"].(float64)
	if claims["v"] != 1.0 || !hasAud || !hasSub || !hasIat || !hasNbf || !hasExp {
		return Verdict{Code: "SIGNATURE"}
	}

	if !isFinite(highWater) {
		highWater = 0
	}
	// The signature is right, so the content of the key is true.
	verdict := Verdict{ExpiresAt: exp}
	switch {
	case aud != app:
		verdict.Code = "APP_MISMATCH"
	case sub != hashOf("ks1|"+strings.TrimSpace(hwid)):
		verdict.Code = "DEVICE_MISMATCH"
	case !isFinite(now) || now+clockSkew < highWater:
		verdict.Code = "CLOCK_BACK"
	case now+clockSkew < nbf:
		verdict.Code = "NOT_YET"
	case now >= exp:
		verdict.Code = "EXPIRED"
	default:
		verdict.Code = "VALID"
		verdict.HighWater = math.Max(highWater, iat)
	}
	return verdict
}

// VerifyVerdict checks that the server has signed an answer to one question:
// about this key, this device, this app, and this nonce. The code is that in
// the verdict, or "UNTRUSTED".
func VerifyVerdict(verdict, nonce, key, hwid, app, jwks string) Verdict {
	claims, _ := readSigned(verdict, "verdict+jws", jwks)
	code, hasCode := claims["code"].(string)
	if claims["v"] == 1.0 && hasCode && nonce != "" && claims["nonce"] == nonce && claims["aud"] == app &&
		claims["sub"] == hashOf("ks1|"+hwid) && claims["key"] == hashOf(key) {
		iat, hasIat := claims["iat"].(float64)
		exp, hasExp := claims["exp"].(float64)
		checked := Verdict{Code: code, ExpiresAt: exp}
		// No later than the key's end: a server with a wrong clock must not
		// lock the app out.
		if hasIat && hasExp {
			checked.HighWater = math.Min(iat, exp)
		}
		return checked
	}
	return Verdict{Code: "UNTRUSTED"}
}

// readSigned reads a compact JWS of one type and one algorithm. The code is
// empty when one of the public keys has signed the claims.
func readSigned(token, typ, jwks string) (claims map[string]any, code string) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, "SIGNATURE"
	}
	head := readJSON(parts[0])
	kid, hasKid := head["kid"].(string)
	if len(head) != 3 || head["alg"] != "EdDSA" || head["typ"] != typ || !hasKid {
		return nil, "SIGNATURE"
	}
	publicKey, isKnown := publicKeyOf(jwks, kid)
	if !isKnown {
		return nil, "UNKNOWN_KID"
	}
	signature := decode(parts[2])
	signed := []byte(parts[0] + "." + parts[1])
	// Go's Ed25519 also takes weak points, and public keys in other spellings.
	if len(publicKey) != ed25519.PublicKeySize || isWeak(publicKey) ||
		!ed25519.Verify(publicKey, signed, signature) {
		return nil, "SIGNATURE"
	}
	if claims = readJSON(parts[1]); claims == nil {
		return nil, "SIGNATURE"
	}
	return claims, ""
}

// publicKeyOf finds the key with the id. Its bytes are nil when it is broken.
func publicKeyOf(jwks, kid string) (publicKey ed25519.PublicKey, isKnown bool) {
	var set map[string]any
	if json.Unmarshal([]byte(jwks), &set) != nil {
		return nil, false
	}
	keys, _ := set["keys"].([]any)
	for _, entry := range keys {
		jwk, _ := entry.(map[string]any)
		if jwk["kid"] != kid {
			continue
		}
		x, _ := jwk["x"].(string)
		if jwk["kty"] != "OKP" || jwk["crv"] != "Ed25519" {
			x = ""
		}
		return decode(x), true
	}
	return nil, false
}

// The points of small order, without the sign of x: everything could be
// "signed" with them.
var weakPoints = func() (points [][]byte) {
	for _, text := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	} {
		point, _ := hex.DecodeString(text)
		points = append(points, point)
	}
	return points
}()

// isWeak tells a point of small order, and one whose y is not below 2^255-19.
func isWeak(point []byte) bool {
	y := append([]byte{}, point...)
	y[31] &= 0x7f
	for _, weak := range weakPoints {
		if bytes.Equal(y, weak) {
			return true
		}
	}
	return y[0] >= 0xed && y[31] == 0x7f && bytes.Count(y[1:31], []byte{0xff}) == 30
}

func isFinite(value float64) bool {
	return !math.IsNaN(value) && !math.IsInf(value, 0)
}

// hashOf is how a key contains a device, and a verdict a key.
func hashOf(text string) string {
	hash := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(hash[:])
}

// readJSON reads a part as an object; nil when it is anything else.
func readJSON(part string) (object map[string]any) {
	text := decode(part)
	if !utf8.Valid(text) || json.Unmarshal(text, &object) != nil {
		return nil
	}
	return object
}

// decode reads base64url, in its one right spelling only.
func decode(text string) []byte {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || base64.RawURLEncoding.EncodeToString(data) != text {
		return nil
	}
	return data
}
