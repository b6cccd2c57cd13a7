// Gets a key of the key system. Android from API 24; it needs KeyVerifier.kt.
package keysystem

import keysystem.KeyVerifier.number
import org.json.JSONObject
import java.io.ByteArrayOutputStream
import java.io.EOFException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.security.SecureRandom
import java.text.ParseException
import java.text.SimpleDateFormat
import java.util.Locale
import java.util.TimeZone
import java.util.concurrent.CancellationException
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread

/** The pause after an answer, and after the first failure, in seconds. */
private const val USUAL_PAUSE = 5.0
/** For how many seconds the server may hold a call until there is news. */
private const val LONGEST_HOLD = 25

/** What the pauses grow to while nothing is answered. */
private const val LONGEST_PAUSE = 60.0

/** What a Retry-After counts at most. */
private const val LONGEST_RETRY_AFTER = 300.0

/** An answer is not longer than this, in bytes. */
private const val LONGEST_ANSWER = 64 * 1024

/** The pages of the site's own apps. All others share one, whose address names the app. */
private val PAGES = mapOf("main" to "/key-system-1?", "companion" to "/rosaverx/key-system-1?")

/** No waiting helps against these: the app has asked a wrong question. */
private val FINAL_CODES = setOf("request.invalid", "request.version", "KS_HWID", "KS_ZONE", "KS_APP")

/** What does not tell anything about a key. */
private val NO_VERDICTS = setOf("UNTRUSTED", "NO_ANSWER")

private val RANDOM = SecureRandom()

/**
 * How a device's key stands. Times are in milliseconds since 1970, by the
 * server's clock; what does not belong to the status is null.
 *
 * @property status "active", "in_progress", "none" or "blocked"
 * @property key of "active", as expiresAt is
 * @property step of "in_progress": step 2 of 3
 * @property reason of "blocked", and of "none" when it is "zone"
 * @property until of "blocked"; null when it does not end
 */
class Answer(
    val status: String,
    val key: String? = null,
    val expiresAt: Double? = null,
    val step: Int? = null,
    val of: Int? = null,
    val reason: String? = null,
    val until: Double? = null
)

/** The app has asked a wrong question. The page /errors explains each code. */
class Refusal(val code: String, detail: String) : Exception(detail)

/**
 * Nothing that helps, but asking again later may.
 *
 * @property reason "network", "server", "busy" or "answer"
 * @property retryAfter the pause that the server asks for, in seconds, or 0
 */
class NoAnswer(val reason: String, val retryAfter: Double = 0.0) : Exception("No answer: $reason")

/**
 * A client of the key system: it opens the page, waits for the key, and checks
 * it. Its calls block, so use it on a thread of its
 * own. To stop it, interrupt that thread: the call ends with a
 * CancellationException.
 *
 * @param site its address, without a slash at its end
 * @param app "main", "companion", or the id of a registered app
 * @param hwid the device: 6 to 128 letters, digits, dots, colons, dashes, underscores
 * @param zone a token of your own; only calls with the same zone get the key
 * @param keys the answer of /.well-known/jwks.json, pinned in the app; new ones
 *     come with an update of the app, never from the network
 * @param highWater the latest time of the server that the app has stored, or 0
 * @param timeoutMs how long a call may take
 * @param wait how the client waits, in seconds; Thread.sleep does not use the clock that users set
 * @param now the device's clock, in seconds since 1970
 */
class KeyClient(
    private val site: String,
    private val app: String,
    private val hwid: String,
    private val zone: String,
    private val keys: String,
    highWater: Double,
    private val timeoutMs: Long = 10_000,
    private val wait: (seconds: Double) -> Unit = { Thread.sleep((it * 1000).toLong()) },
    private val now: () -> Double = { System.currentTimeMillis() / 1000.0 }
) {
    /** The latest time that the server has signed, in seconds. Store it in the app. */
    var highWater = highWater
        private set

    /** The page to open in the visitor's browser. */
    fun link(): String = site + (PAGES[app] ?: "/apps/key-system-1?app=${encode(app)}&") + who()

    /** Asks for the key once. Throws a Refusal or a NoAnswer. */
    fun askForKey(): Answer {
        return answerIn(callForKey())
    }

    private fun callForKey(hold: Int = 0) = call("/api/key?${who()}&app=${encode(app)}", hold = hold)

    private fun answerIn(response: Response): Answer = readAnswer(response) ?: throw failureOf(response)

    /**
     * Asks for the key until the app has something to do. "active": open the
     * app. "blocked": wait until the given time. "none" with the reason "zone":
     * open the page again, because the key was earned with another zone.
     * It goes on through everything that may pass, and throws only a Refusal.
     *
     * @param onWaiting hears what it waits for, "network", "server", "busy",
     *     "answer" or "steps", and for how many seconds
     */
    fun waitForKey(
        onAnswer: (Answer) -> Unit = {},
        onWaiting: (reason: String, seconds: Double) -> Unit = { _, _ -> }
    ): Answer {
        var failures = 0
        var hold = 0
        while (true) {
            var reason = "steps"
            var pause = USUAL_PAUSE
            try {
                val response = callForKey(hold)
                val answer = answerIn(response)
                failures = 0
                hold = LONGEST_HOLD
                // A server that has held the call has waited for us.
                if (response.isHeld) pause = 0.0
                onAnswer(answer)
                val hasBegun = answer.status == "in_progress"
                val mayBegin = answer.status == "none" && answer.reason == null
                if (!hasBegun && !mayBegin) return answer
            } catch (failure: NoAnswer) {
                reason = failure.reason
                pause = pauseAfter(failures++, failure)
            }
            onWaiting(reason, pause)
            stoppable { wait(pause) }
        }
    }

    /**
     * Opens the app with the key that it has stored, whether there is a network
     * or not: a key that is right calls onOpen at once. Then the server is
     * asked. Any code but "VALID" closes the app: the key has ended, or the
     * server has withdrawn it.
     */
    fun open(cachedKey: String?, onOpen: () -> Unit): String {
        val verdict = KeyVerifier.verify(cachedKey, hwid, app, keys, now(), highWater)
        if (cachedKey == null || verdict.highWater == null) return verdict.code

        highWater = maxOf(highWater, verdict.highWater)
        onOpen()
        return try {
            checkOnline(cachedKey).takeUnless { it in NO_VERDICTS } ?: "VALID"
        } catch (refusal: Refusal) {
            "VALID"
        }
    }

    /**
     * Has the server check a key. Only the server knows of withdrawn keys. It
     * asks once, and throws only a Refusal.
     *
     * @return the server's code, proven by its signature, or "UNTRUSTED", or "NO_ANSWER"
     */
    fun checkOnline(key: String): String {
        val nonce = KeyVerifier.encode(ByteArray(24).also(RANDOM::nextBytes))
        val question = JSONObject().put("key", key).put("hwid", hwid).put("app", app).put("nonce", nonce)
        return try {
            val response = call("/api/key/verify", question.toString())
            val isVerdict = isFromServer(response) &&
                response.body.opt("valid") is Boolean &&
                response.body.opt("code") is String
            if (response.status != 200 || !isVerdict) throw failureOf(response)

            val verdict = response.body.opt("verdict") as? String
            val checked = KeyVerifier.verifyVerdict(verdict, nonce, key, hwid, app, keys)
            highWater = maxOf(highWater, checked.highWater ?: 0.0)
            checked.code
        } catch (failure: NoAnswer) {
            "NO_ANSWER"
        }
    }

    /**
     * Fetches what to pin in the next version of the app. Do not trust them at
     * run time: a stranger's network could swap them.
     */
    fun publicKeys(): String {
        val response = call("/.well-known/jwks.json")
        if (response.status != 200 || response.body.length() == 0) throw failureOf(response)
        return response.text
    }

    /**
     * A whole answer, from the server or from something in between. The body is
     * empty when the text is no object.
     */
    private class Response(
        val status: Int,
        val retryAfter: String,
        val date: String,
        val isHeld: Boolean,
        val text: String
    ) {
        val body = KeyVerifier.readObject(text) ?: JSONObject()
    }

    private fun call(path: String, question: String? = null, hold: Int = 0): Response {
        val connection = URL(site + path).openConnection() as HttpURLConnection
        val task = FutureTask { send(connection, question, hold) }
        thread(isDaemon = true, name = "key-client") { task.run() }
        try {
            // The timeouts of a connection start again with each byte.
            return stoppable { task.get(timeoutMs + hold * 1000, TimeUnit.MILLISECONDS) }
        } catch (failed: ExecutionException) {
            throw NoAnswer("network")
        } catch (late: TimeoutException) {
            throw NoAnswer("network")
        } finally {
            connection.disconnect()
        }
    }

    private fun send(connection: HttpURLConnection, question: String?, hold: Int): Response {
        connection.connectTimeout = timeoutMs.toInt()
        connection.readTimeout = timeoutMs.toInt() + hold * 1000
        // Without it, Java asks for HTML.
        connection.setRequestProperty("Accept", "application/json")
        connection.setRequestProperty("API-Version", "1")
        connection.setRequestProperty("Prefer", "wait=$hold")
        if (question != null) {
            connection.doOutput = true
            connection.setRequestProperty("Content-Type", "application/json")
            connection.outputStream.use { it.write(question.toByteArray()) }
        }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val bytes = stream?.use(::readBytes) ?: ByteArray(0)
        if (bytes.size < minOf(connection.contentLength, LONGEST_ANSWER)) throw EOFException()
        return Response(
            status,
            connection.getHeaderField("Retry-After").orEmpty().trim(),
            connection.getHeaderField("Date").orEmpty(),
            connection.getHeaderField("Preference-Applied") != null,
            if (bytes.size > LONGEST_ANSWER) "" else bytes.toString(Charsets.UTF_8)
        )
    }

    /** All bytes, or more than an answer may have. */
    private fun readBytes(stream: InputStream): ByteArray {
        val bytes = ByteArrayOutputStream()
        val buffer = ByteArray(8192)
        var count = 0
        while (count >= 0 && bytes.size() <= LONGEST_ANSWER) {
            bytes.write(buffer, 0, count)
            count = stream.read(buffer)
        }
        return bytes.toByteArray()
    }

    /** Accepts only what the server says about a key. Null for anything else. */
    private fun readAnswer(response: Response): Answer? {
        val from = response.body
        val status = from.opt("status") as? String
        val expected = if (status == "blocked") 403 else 200
        if (!isFromServer(response) || response.status != expected) return null

        val reason = from.opt("reason") as? String
        return when (status) {
            "active" -> {
                val key = from.opt("key") as? String ?: return null
                Answer(status, key = key, expiresAt = from.number("expiresAt") ?: return null)
            }
            "in_progress" -> {
                val step = from.number("step") ?: return null
                Answer(status, step = step.toInt(), of = (from.number("of") ?: return null).toInt())
            }
            "none" ->
                if (from.has("reason") && reason != "zone") null else Answer(status, reason = reason)
            "blocked" -> {
                val until = from.number("until")
                val hasUntil = until != null || from.opt("until") == JSONObject.NULL
                if (hasUntil && reason != null) Answer(status, reason = reason, until = until) else null
            }
            else -> null
        }
    }

    /** Looks for what every answer of ours contains. */
    private fun isFromServer(response: Response): Boolean =
        response.body.opt("app") is String && (response.body.number("now") ?: 0.0) > 0

    /** Tells a wrong question from what may pass. */
    private fun failureOf(response: Response): Exception {
        val code = response.body.opt("code") as? String
        val title = response.body.opt("title") as? String
        val isProblem = response.body.opt("type") is String && title != null
        return when {
            response.status == 429 || response.status == 503 -> NoAnswer("busy", retryAfter(response))
            response.status >= 500 -> NoAnswer("server", retryAfter(response))
            response.status >= 400 && isProblem && code in FINAL_CODES ->
                Refusal(code.orEmpty(), response.body.opt("detail") as? String ?: title.orEmpty())
            else -> NoAnswer("answer")
        }
    }

    /**
     * Reads Retry-After, in seconds or as a date. A date counts from the
     * server's clock, when the answer tells it. 0 stands for anything absurd.
     */
    private fun retryAfter(response: Response): Double {
        val isNumber = Regex("[0-9]{1,6}").matches(response.retryAfter)
        val seconds =
            if (isNumber) response.retryAfter.toDouble()
            else (secondsOf(response.retryAfter) ?: 0.0) - (secondsOf(response.date) ?: now())
        return seconds.coerceIn(0.0, LONGEST_RETRY_AFTER)
    }

    private fun secondsOf(date: String): Double? {
        val format = SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
        format.timeZone = TimeZone.getTimeZone("GMT")
        return try {
            format.parse(date)?.let { it.time / 1000.0 }
        } catch (broken: ParseException) {
            null
        }
    }

    /**
     * 5, 10, 20, 40, 60 seconds, and up to 20 % more, so that not every app
     * comes back at once.
     */
    private fun pauseAfter(failures: Int, failure: NoAnswer): Double {
        if (failure.retryAfter > 0) return failure.retryAfter

        val pause = minOf(USUAL_PAUSE * Math.pow(2.0, failures.toDouble()), LONGEST_PAUSE)
        return pause * (1 + 0.2 * RANDOM.nextDouble())
    }

    private fun who() = "hwid=${encode(hwid)}&zone=${encode(zone)}"

    private fun encode(text: String) = URLEncoder.encode(text, "UTF-8")

    private fun <T> stoppable(what: () -> T): T =
        try {
            what()
        } catch (stopped: InterruptedException) {
            throw CancellationException()
        }
}
