/** Runs the sample for the tests: see samples/test-protocol.md. */
package keysystem

import org.json.JSONArray
import org.json.JSONObject
import java.math.BigDecimal
import kotlin.system.exitProcess

fun main(args: Array<String>) {
    if (args[0] == "verify") return verifyAll()
    while (true) {
        playRound((readLine() ?: return).split(" "))
        tell("done")
    }
}

private fun tell(vararg words: Any?) {
    println(words.joinToString(" ") { if (it is Double) decimal(it) else "$it" })
    System.out.flush()
}

private fun decimal(seconds: Double): String = BigDecimal(seconds.toString()).stripTrailingZeros().toPlainString()

private fun verifyAll() {
    val told = JSONObject(System.`in`.reader().readText())
    val common = told.getJSONObject("common")
    fun each(name: String, check: (field: (String) -> Any?) -> String) {
        val vectors = told.optJSONArray(name) ?: JSONArray()
        for (i in 0 until vectors.length()) {
            val own = vectors.getJSONObject(i)
            tell(attempt { check { field -> if (own.has(field)) own.get(field) else common.opt(field) } })
        }
    }
    each("vectors") { field ->
        KeyVerifier.verify(
            field("key") as? String, field("hwid") as? String, field("app") as? String ?: "", write(field("jwks")),
            (field("now") as? Number)?.toDouble() ?: Double.NaN,
            (field("highWater") as? Number)?.toDouble() ?: Double.NaN
        ).code
    }
    each("verdicts") { field ->
        val checked = KeyVerifier.verifyVerdict(
            field("verdict") as? String, field("nonce") as? String, field("key") as? String,
            field("hwid") as? String, field("app") as? String ?: "", write(field("jwks"))
        )
        listOfNotNull(checked.code, checked.highWater?.let(::decimal)).joinToString(" ")
    }
}

private fun write(value: Any?) = if (value is String) JSONObject.quote(value) else "$value"

/** Says what was raised instead of a result. */
private fun attempt(what: () -> String): String =
    try {
        what()
    } catch (raised: Throwable) {
        "raised $raised"
    }

private fun playRound(fields: List<String>) {
    val (site, app, hwid, zone) = fields
    val (timeout, clock, highWater) = fields.subList(4, 7).map { it.toDouble() }
    val (cached, pinned) = fields.subList(7, 9)
    val keys = if (pinned == "-") KeyClient(site, app, hwid, zone, "", 0.0).publicKeys() else pinned
    val now = { System.currentTimeMillis() / 1000.0 + clock }
    val client = KeyClient(
        site, app, hwid, zone, keys, highWater,
        timeoutMs = (timeout * 1000).toLong(),
        wait = { seconds ->
            tell("wait", seconds)
            readLine() ?: exitProcess(1)
        },
        now = now
    )
    try {
        tell("link", client.link())
        if (cached != "-") {
            val code = client.open(cached) { tell("opened") }
            tell("open", code)
            if (code == "VALID") return tell("high water", client.highWater)
        }
        val answer = client.waitForKey(
            { if (it.step == null) tell("answer", it.status) else tell("answer", it.status, it.step) },
            { reason, seconds -> tell("waiting", reason, seconds) }
        )
        if (answer.status == "active") {
            val key = answer.key.orEmpty()
            tell("offline", KeyVerifier.verify(key, hwid, app, keys, now(), client.highWater).code)
            tell("offline elsewhere", KeyVerifier.verify(key, "another-device", app, keys, now(), client.highWater).code)
            tell("online", client.checkOnline(key))
        }
        tell("high water", client.highWater)
    } catch (refusal: Refusal) {
        tell("refused", refusal.code)
    } catch (raised: Throwable) {
        tell("raised", raised)
    }
}
