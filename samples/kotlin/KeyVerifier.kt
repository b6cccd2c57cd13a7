// Checks a key on its device. Android from API 24, with the library
// org.bouncycastle:bcprov-jdk18on for Ed25519.
package keysystem

import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters
import org.bouncycastle.crypto.signers.Ed25519Signer
import org.bouncycastle.util.encoders.Base64
import org.bouncycastle.util.encoders.DecoderException
import org.json.JSONException
import org.json.JSONObject
import java.math.BigInteger
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.security.MessageDigest

/**
 * The result of a check. Only the code "VALID" opens the app.
 *
 * @property expiresAt in seconds since 1970; null when the content is not proven
 * @property highWater comes with "VALID", and with a verdict about a key of
 *     ours: store it for the next check
 */
class Verdict(val code: String, val expiresAt: Double? = null, val highWater: Double? = null)

/**
 * Checks a key on its device without the server. An app does this at each
 * start.
 */
object KeyVerifier {
    /** How many seconds a device's clock may be behind the server's. */
    private const val CLOCK_SKEW = 300

    private val P = BigInteger("2").pow(255) - BigInteger("19")
    private val Y_OF_ORDER_8 =
        BigInteger("5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16)

    /** The y of the points of small order. Anybody can sign for a public key like these. */
    private val WEAK_POINTS =
        setOf(BigInteger.ZERO, BigInteger.ONE, P - BigInteger.ONE, Y_OF_ORDER_8, P - Y_OF_ORDER_8)

    /**
     * Checks a key. It never throws, whatever it is given.
     *
     * @param jwks the answer of /.well-known/jwks.json, pinned in the app
     * @param now the device's clock, in seconds since 1970
     * @param highWater the latest time of the server that the app has stored, in seconds
     */
    fun verify(
        key: String?, hwid: String?, app: String, jwks: String?, now: Double, highWater: Double
    ): Verdict {
        val (claims, failure) = readSigned(key, "key+jws", jwks)
        if (claims == null) return Verdict(failure)

        val aud = claims.opt("aud")
        val sub = claims.opt("sub")
        val iat = claims.number("iat")
        val nbf = claims.number("nbf")
        val exp = claims.number("exp")
        if (claims.number("v") != 1.0 || aud !is String || sub !is String) return Verdict("SIGNATURE")
        if (iat == null || nbf == null || exp == null) return Verdict("SIGNATURE")

        // The signature is right, so the content of the key is true.
        val seen = if (highWater.isFinite()) highWater else 0.0
        return when {
            aud != app -> Verdict("APP_MISMATCH", exp)
            hwid == null || sub != hashOf("ks1|${hwid.trim()}") -> Verdict("DEVICE_MISMATCH", exp)
            !now.isFinite() || now + CLOCK_SKEW < seen -> Verdict("CLOCK_BACK", exp)
            now + CLOCK_SKEW < nbf -> Verdict("NOT_YET", exp)
            now >= exp -> Verdict("EXPIRED", exp)
            else -> Verdict("VALID", exp, maxOf(seen, iat))
        }
    }

    /**
     * Checks that the server has signed an answer to one question: about this
     * key, this device, this app, and this nonce.
     *
     * @return with the code in the verdict, or "UNTRUSTED"
     */
    fun verifyVerdict(
        verdict: String?, nonce: String?, key: String?, hwid: String?, app: String, jwks: String?
    ): Verdict {
        val (claims) = readSigned(verdict, "verdict+jws", jwks)
        val isOurs = claims != null && nonce != null && key != null && hwid != null &&
            claims.number("v") == 1.0 &&
            claims.opt("nonce") == nonce &&
            claims.opt("aud") == app &&
            claims.opt("sub") == hashOf("ks1|$hwid") &&
            claims.opt("key") == hashOf(key)
        val code = claims?.opt("code") as? String
        if (!isOurs || code == null) return Verdict("UNTRUSTED")

        val iat = claims.number("iat")
        val exp = claims.number("exp")
        // No later than the key's end: a server with a wrong clock must not lock the app out.
        return Verdict(code, exp, if (iat != null && exp != null) minOf(iat, exp) else null)
    }

    /** The claims that a public key has signed, or why there are none. */
    private fun readSigned(token: String?, typ: String, jwks: String?): Pair<JSONObject?, String> {
        val parts = token.orEmpty().split(".")
        val head = readObject(decode(parts[0]))
        val kid = head?.opt("kid") as? String
        val isOurs = parts.size == 3 && head?.length() == 3 &&
            head.opt("alg") == "EdDSA" && head.opt("typ") == typ
        if (!isOurs || kid == null) return Pair(null, "SIGNATURE")

        val jwk = findKey(jwks, kid) ?: return Pair(null, "UNKNOWN_KID")
        val signed = "${parts[0]}.${parts[1]}".toByteArray()
        val isSigned = isSignedBy(jwk, signed, decode(parts[2]))
        return Pair(if (isSigned) readObject(decode(parts[1])) else null, "SIGNATURE")
    }

    private fun findKey(jwks: String?, kid: String): JSONObject? {
        val keys = readObject(jwks)?.optJSONArray("keys") ?: return null
        return (0 until keys.length()).mapNotNull(keys::optJSONObject).find { it.opt("kid") == kid }
    }

    private fun isSignedBy(jwk: JSONObject, signed: ByteArray, signature: ByteArray?): Boolean {
        if (jwk.opt("kty") != "OKP" || jwk.opt("crv") != "Ed25519") return false

        val x = (jwk.opt("x") as? String)?.let(::decode)
        if (x == null || x.size != 32 || isWeak(x) || signature == null) return false

        return try {
            val ed25519 = Ed25519Signer()
            ed25519.init(false, Ed25519PublicKeyParameters(x, 0))
            ed25519.update(signed, 0, signed.size)
            ed25519.verifySignature(signature)
        } catch (noPoint: IllegalArgumentException) {
            false
        }
    }

    /** Whether a point is one of small order, or spelled with a y that is too large. */
    private fun isWeak(point: ByteArray): Boolean {
        val y = BigInteger(1, point.reversedArray()).clearBit(255)
        return y >= P || y in WEAK_POINTS
    }

    /** How a key contains its device, and a verdict its key. */
    private fun hashOf(text: String): String =
        encode(MessageDigest.getInstance("SHA-256").digest(text.toByteArray()))

    private fun readObject(utf8: ByteArray?): JSONObject? =
        try {
            readObject(utf8?.let { Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(it)).toString() })
        } catch (broken: CharacterCodingException) {
            null
        }

    internal fun readObject(text: String?): JSONObject? =
        try {
            JSONObject(text.orEmpty())
        } catch (broken: JSONException) {
            null
        } catch (tooDeep: StackOverflowError) {
            null
        }

    /** A finite number, or null. */
    internal fun JSONObject.number(name: String): Double? =
        (opt(name) as? Number)?.toDouble()?.takeIf { it.isFinite() }

    /** Decodes base64url, in its one right spelling only. Null for any other text. */
    private fun decode(text: String): ByteArray? =
        try {
            val padding = "=".repeat((4 - text.length % 4) % 4)
            val bytes = Base64.decode(text.replace('-', '+').replace('_', '/') + padding)
            bytes.takeIf { encode(it) == text }
        } catch (broken: DecoderException) {
            null
        }

    internal fun encode(bytes: ByteArray): String =
        Base64.toBase64String(bytes).trimEnd('=').replace('+', '-').replace('/', '_')
}
