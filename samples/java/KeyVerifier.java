// Checks a key on its device. Java 17, no libraries.
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a key on its device without the server. An app does this at each
 * start.
 */
public final class KeyVerifier {
    /** How many seconds a device's clock may be behind the server's. */
    private static final int CLOCK_SKEW = 300;

    /** What comes before the bytes of a public key in its X.509 form. */
    private static final String X509 = "302a300506032b6570032100";

    private static final BigInteger P = new BigInteger("2").pow(255).subtract(new BigInteger("19"));
    private static final BigInteger Y_OF_ORDER_8 =
        new BigInteger("5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16);

    /** The points of small order, without x: everything could be "signed" with them. */
    private static final Set<BigInteger> WEAK_POINTS = Set.of(
        BigInteger.ZERO,
        BigInteger.ONE,
        P.subtract(BigInteger.ONE),
        Y_OF_ORDER_8,
        P.subtract(Y_OF_ORDER_8));

    private KeyVerifier() {}

    /**
     * The result of a check. Only the code "VALID" opens the app.
     *
     * @param expiresAt in seconds since 1970; null when the content is not proven
     * @param highWater comes with "VALID", and with a verdict about a key of
     *     ours: store it for the next check
     */
    public record Verdict(String code, Double expiresAt, Double highWater) {
        private Verdict(String code) {
            this(code, null, null);
        }
    }

    /**
     * Checks a key. It never throws, whatever it is given.
     *
     * @param jwks the answer of /.well-known/jwks.json, pinned in the app
     * @param now the device's clock, in seconds since 1970
     * @param highWater the latest time of the server that the app has stored, in seconds
     */
    public static Verdict verify(
            String key, String hwid, String app, String jwks, double now, double highWater) {
        Signed signed = readSigned(key, "key+jws", jwks);
        if (signed.code != null) return new Verdict(signed.code);

        Map<?, ?> claims = signed.claims;
        boolean areOurs = Double.valueOf(1).equals(claims.get("v"))
            && claims.get("aud") instanceof String
            && claims.get("sub") instanceof String;
        if (!areOurs
            || !(claims.get("iat") instanceof Double iat)
            || !(claims.get("nbf") instanceof Double nbf)
            || !(claims.get("exp") instanceof Double exp)) {
            return new Verdict("SIGNATURE");
        }

        // The signature is right, so the content of the key is true.
        if (!claims.get("aud").equals(app)) return new Verdict("APP_MISMATCH", exp, null);
        if (hwid == null || !claims.get("sub").equals(hashOf("ks1|" + hwid.trim()))) {
            return new Verdict("DEVICE_MISMATCH", exp, null);
        }

        double seen = Double.isFinite(highWater) ? highWater : 0;
        boolean isBack = !Double.isFinite(now) || now + CLOCK_SKEW < seen;
        if (isBack) return new Verdict("CLOCK_BACK", exp, null);
        if (now + CLOCK_SKEW < nbf) return new Verdict("NOT_YET", exp, null);
        if (now >= exp) return new Verdict("EXPIRED", exp, null);

        return new Verdict("VALID", exp, Math.max(seen, iat));
    }

    /**
     * Checks that the server has signed an answer to one question: about this
     * key, this device, this app, and this nonce.
     *
     * @return with the code in the verdict, or "UNTRUSTED", or "UNSUPPORTED"
     */
    public static Verdict verifyVerdict(
            String verdict, String nonce, String key, String hwid, String app, String jwks) {
        Signed signed = readSigned(verdict, "verdict+jws", jwks);
        if ("UNSUPPORTED".equals(signed.code)) return new Verdict(signed.code);
        if (signed.code != null) return new Verdict("UNTRUSTED");

        Map<?, ?> claims = signed.claims;
        boolean isOurs = Double.valueOf(1).equals(claims.get("v"))
            && nonce != null && nonce.equals(claims.get("nonce"))
            && app != null && app.equals(claims.get("aud"))
            && hwid != null && hashOf("ks1|" + hwid).equals(claims.get("sub"))
            && key != null && hashOf(key).equals(claims.get("key"));
        if (!isOurs || !(claims.get("code") instanceof String code)) return new Verdict("UNTRUSTED");

        if (!(claims.get("iat") instanceof Double iat) || !(claims.get("exp") instanceof Double exp)) {
            return new Verdict(code);
        }
        // No later than the key's end: a server with a wrong clock must not lock the app out.
        return new Verdict(code, exp, Math.min(iat, exp));
    }

    /** A code, or the claims that one of the public keys has signed. */
    private record Signed(String code, Map<?, ?> claims) {}

    /** Reads a compact JWS of one type and one algorithm. */
    private static Signed readSigned(String token, String typ, String jwks) {
        String[] parts = token == null ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3
            || !(readPart(parts[0]) instanceof Map<?, ?> head)
            || head.size() != 3
            || !"EdDSA".equals(head.get("alg"))
            || !typ.equals(head.get("typ"))
            || !(head.get("kid") instanceof String kid)) {
            return new Signed("SIGNATURE", null);
        }

        Map<?, ?> jwk = findKey(jwks, kid);
        if (jwk == null) return new Signed("UNKNOWN_KID", null);

        try {
            byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8);
            boolean isSigned = isSignedBy(jwk, signed, decode(parts[2]));
            if (isSigned && readPart(parts[1]) instanceof Map<?, ?> claims) return new Signed(null, claims);
        } catch (NoSuchAlgorithmException old) {
            return new Signed("UNSUPPORTED", null);
        } catch (GeneralSecurityException broken) {
            // Neither the public key nor the signature can be read.
        }
        return new Signed("SIGNATURE", null);
    }

    private static Map<?, ?> findKey(String jwks, String kid) {
        if (Json.read(jwks) instanceof Map<?, ?> set && set.get("keys") instanceof List<?> keys) {
            for (Object key : keys) {
                if (key instanceof Map<?, ?> jwk && kid.equals(jwk.get("kid"))) return jwk;
            }
        }
        return null;
    }

    private static boolean isSignedBy(Map<?, ?> jwk, byte[] signed, byte[] signature)
            throws GeneralSecurityException {
        if (!"OKP".equals(jwk.get("kty")) || !"Ed25519".equals(jwk.get("crv"))) return false;

        byte[] x = jwk.get("x") instanceof String text ? decode(text) : null;
        if (x == null || x.length != 32 || signature == null || signature.length != 64) return false;
        if (isWeak(x)) return false;

        byte[] encoded = HexFormat.of().parseHex(X509 + HexFormat.of().formatHex(x));
        Signature ed25519 = Signature.getInstance("Ed25519");
        KeyFactory keys = KeyFactory.getInstance("Ed25519");
        ed25519.initVerify(keys.generatePublic(new X509EncodedKeySpec(encoded)));
        ed25519.update(signed);
        return ed25519.verify(signature);
    }

    /** Whether a point is one of small order, or spelled with a y that is too large. */
    private static boolean isWeak(byte[] point) {
        byte[] bigEndian = new byte[32];
        for (int i = 0; i < 32; i++) bigEndian[i] = point[31 - i];
        BigInteger y = new BigInteger(1, bigEndian).clearBit(255);
        return y.compareTo(P) >= 0 || WEAK_POINTS.contains(y);
    }

    /** How a key contains its device, and a verdict its key. */
    private static String hashOf(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return encode(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Object readPart(String part) {
        byte[] bytes = decode(part);
        return bytes == null ? null : Json.read(bytes);
    }

    /** Decodes base64url, in its one right spelling only. Null for any other text. */
    private static byte[] decode(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            return encode(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException broken) {
            return null;
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A strict reader of JSON: texts, doubles, booleans, lists and maps. */
    static final class Json {
        private static final int DEEPEST = 50;

        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        /** Null for a text that is not JSON, as for the JSON text null. */
        static Object read(String text) {
            if (text == null) return null;
            try {
                Json json = new Json(text);
                Object value = json.value(0);
                json.skipSpace();
                return json.at == text.length() ? value : null;
            } catch (IllegalArgumentException | IndexOutOfBoundsException broken) {
                return null;
            }
        }

        static Object read(byte[] utf8) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(utf8);
                return read(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
            } catch (CharacterCodingException broken) {
                return null;
            }
        }

        static String quote(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char c : text.toCharArray()) {
                boolean isPlain = c >= ' ' && c != '"' && c != '\\';
                quoted.append(isPlain ? c : String.format("\\u%04x", (int) c));
            }
            return quoted.append('"').toString();
        }

        private Object value(int depth) {
            if (depth > DEEPEST) throw new IllegalArgumentException();
            skipSpace();
            switch (text.charAt(at)) {
                case '{':
                    Map<String, Object> map = new HashMap<>();
                    at++;
                    while (hasMore('}', map.isEmpty())) {
                        skipSpace();
                        String name = string();
                        skipSpace();
                        expect(":");
                        map.put(name, value(depth + 1));
                    }
                    return map;
                case '[':
                    List<Object> list = new ArrayList<>();
                    at++;
                    while (hasMore(']', list.isEmpty())) list.add(value(depth + 1));
                    return list;
                case '"':
                    return string();
                case 't':
                    expect("true");
                    return true;
                case 'f':
                    expect("false");
                    return false;
                case 'n':
                    expect("null");
                    return null;
                default:
                    return number();
            }
        }

        private boolean hasMore(char end, boolean isFirst) {
            skipSpace();
            if (text.charAt(at) == end) {
                at++;
                return false;
            }
            if (!isFirst) expect(",");
            return true;
        }

        private String string() {
            expect("\"");
            StringBuilder string = new StringBuilder();
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                if (c < ' ') throw new IllegalArgumentException();
                string.append(c == '\\' ? escaped() : c);
            }
            return string.toString();
        }

        private char escaped() {
            char c = text.charAt(at++);
            if (c == 'u') {
                at += 4;
                return (char) HexFormat.fromHexDigits(text, at - 4, at);
            }
            int which = "\"\\/bfnrt".indexOf(c);
            return "\"\\/\b\f\n\r\t".charAt(which);
        }

        private double number() {
            int start = at;
            while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
            String number = text.substring(start, at);
            boolean isNumber = number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
            double value = isNumber ? Double.parseDouble(number) : Double.NaN;
            if (!Double.isFinite(value)) throw new IllegalArgumentException();
            return value;
        }

        private void expect(String literal) {
            if (!text.startsWith(literal, at)) throw new IllegalArgumentException();
            at += literal.length();
        }

        private void skipSpace() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }
    }
}
