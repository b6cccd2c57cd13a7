// Gets a key of the key system. Java 17, no libraries; it needs KeyVerifier.java.
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * A client of the key system: it opens the page, waits for the key, and checks
 * it. Its calls block, so use it on a thread of its own. To stop it, interrupt
 * that thread: the call ends with a CancellationException.
 */
public final class KeyClient {
    /** The pause after an answer, and after the first failure, in seconds. */
    private static final double USUAL_PAUSE = 5;
    /** For how many seconds the server may hold a call until there is news. */
    private static final int LONGEST_HOLD = 25;
    /** What the pauses grow to while nothing is answered. */
    private static final double LONGEST_PAUSE = 60;
    /** What a Retry-After counts at most. */
    private static final double LONGEST_RETRY_AFTER = 300;
    /** An answer is not longer than this, in bytes. */
    private static final int LONGEST_ANSWER = 64 * 1024;

    /** The pages of the site's own apps. All others share one, whose address names the app. */
    private static final Map<String, String> PAGES =
        Map.of("main", "/key-system-1?", "companion", "/rosaverx/key-system-1?");

    /** No waiting helps against these: the app has asked a wrong question. */
    private static final Set<String> FINAL_CODES =
        Set.of("request.invalid", "request.version", "KS_HWID", "KS_ZONE", "KS_APP");

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final HttpClient HTTP = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NORMAL)
        .build();

    private final String site;
    private final String app;
    private final String hwid;
    private final String zone;
    private final String keys;

    /** The latest time that the server has signed, in seconds. Store it in the app. */
    private double highWater;

    /** How long a call may take. */
    public Duration timeout = Duration.ofSeconds(10);

    /** How the client waits, in seconds. */
    public DoubleConsumer wait = KeyClient::sleep;

    /** The device's clock, in seconds since 1970. */
    public DoubleSupplier now = () -> System.currentTimeMillis() / 1000.0;

    /**
     * @param site its address, without a slash at its end
     * @param app "main", "companion", or the id of a registered app
     * @param hwid the device: 6 to 128 letters, digits, dots, colons, dashes, underscores
     * @param zone a token of your own; only calls with the same zone get the key
     * @param keys the answer of /.well-known/jwks.json, pinned in the app; new
     *     ones come with an update of the app, never from the network
     * @param highWater the latest time of the server that the app has stored, or 0
     */
    public KeyClient(
            String site, String app, String hwid, String zone, String keys, double highWater) {
        this.site = site;
        this.app = app;
        this.hwid = hwid;
        this.zone = zone;
        this.keys = keys;
        this.highWater = highWater;
    }

    /**
     * How a device's key stands. Times are in milliseconds since 1970, by the
     * server's clock; what does not belong to the status is null.
     *
     * @param status "active", "in_progress", "none" or "blocked"
     * @param key of "active", as expiresAt is
     * @param step of "in_progress": step 2 of 3
     * @param reason of "blocked", and of "none" when it is "zone"
     * @param until of "blocked"; null when it does not end
     */
    public record Answer(
        String status, String key, Double expiresAt,
        Integer step, Integer of, String reason, Double until) {}

    /** The app has asked a wrong question. The page /errors explains each code. */
    public static final class Refusal extends RuntimeException {
        public final String code;

        Refusal(String code, String detail) {
            super(detail);
            this.code = code;
        }
    }

    /** Nothing that helps, but asking again later may. */
    public static final class NoAnswer extends Exception {
        /** "network", "server", "busy" or "answer". */
        public final String reason;

        /** The pause that the server asks for, in seconds, or 0. */
        public final double retryAfter;

        NoAnswer(String reason, double retryAfter) {
            super("No answer: " + reason);
            this.reason = reason;
            this.retryAfter = retryAfter;
        }
    }

    public double highWater() {
        return highWater;
    }

    /** The page to open in the visitor's browser. */
    public String link() {
        String other = "/apps/key-system-1?app=" + encode(app) + "&";
        return site + PAGES.getOrDefault(app, other) + who();
    }

    /** Asks for the key once. */
    public Answer askForKey() throws NoAnswer {
        return answerIn(callForKey(0));
    }

    private Response callForKey(int hold) throws NoAnswer {
        return call("/api/key?" + who() + "&app=" + encode(app), null, hold);
    }

    private Answer answerIn(Response response) throws NoAnswer {
        Answer answer = readAnswer(response);
        if (answer == null) throw failureOf(response);
        return answer;
    }

    /**
     * Asks for the key until the app has something to do. "active": open the
     * app. "blocked": wait until the given time. "none" with the reason "zone":
     * open the page again, because the key was earned with another zone.
     * It goes on through everything that may pass.
     *
     * @param onWaiting hears what it waits for, "network", "server", "busy",
     *     "answer" or "steps", and for how many seconds
     */
    public Answer waitForKey(Consumer<Answer> onAnswer, BiConsumer<String, Double> onWaiting) {
        int hold = 0;
        for (int failures = 0; ; ) {
            String reason = "steps";
            double pause = USUAL_PAUSE;
            try {
                Response response = callForKey(hold);
                Answer answer = answerIn(response);
                failures = 0;
                hold = LONGEST_HOLD;
                // A server that has held the call has waited for us.
                if (response.headers.firstValue("Preference-Applied").isPresent()) pause = 0;
                onAnswer.accept(answer);
                boolean hasBegun = answer.status.equals("in_progress");
                boolean mayBegin = answer.status.equals("none") && answer.reason == null;
                if (!hasBegun && !mayBegin) return answer;
            } catch (NoAnswer failure) {
                reason = failure.reason;
                pause = pauseAfter(failures++, failure);
            }
            onWaiting.accept(reason, pause);
            wait.accept(pause);
        }
    }

    /**
     * Opens the app with the key that it has stored, whether there is a network
     * or not: a key that is right calls onOpen at once. Then the server is
     * asked. Any code but "VALID" closes the app: the key has ended, or the
     * server has withdrawn it.
     */
    public String open(String cachedKey, Runnable onOpen) {
        KeyVerifier.Verdict verdict =
            KeyVerifier.verify(cachedKey, hwid, app, keys, now.getAsDouble(), highWater);
        if (!verdict.code().equals("VALID")) return verdict.code();

        highWater = Math.max(highWater, verdict.highWater());
        onOpen.run();
        try {
            String code = checkOnline(cachedKey);
            return Set.of("UNTRUSTED", "UNSUPPORTED", "NO_ANSWER").contains(code) ? "VALID" : code;
        } catch (Refusal refusal) {
            return "VALID";
        }
    }

    /**
     * Has the server check a key. Only the server knows of withdrawn keys. It
     * asks once.
     *
     * @return the server's code, proven by its signature, or "UNTRUSTED",
     *     "UNSUPPORTED", "NO_ANSWER"
     */
    public String checkOnline(String key) {
        byte[] random = new byte[24];
        RANDOM.nextBytes(random);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        try {
            String body = String.format(
                "{\"key\":%s,\"hwid\":%s,\"app\":%s,\"nonce\":%s}",
                KeyVerifier.Json.quote(key),
                KeyVerifier.Json.quote(hwid),
                KeyVerifier.Json.quote(app),
                KeyVerifier.Json.quote(nonce));
            Response response = call("/api/key/verify", body, 0);
            boolean isVerdict = isFromServer(response)
                && response.object.get("valid") instanceof Boolean
                && response.object.get("code") instanceof String;
            if (response.status != 200 || !isVerdict) throw failureOf(response);

            String verdict = response.object.get("verdict") instanceof String text ? text : null;
            KeyVerifier.Verdict checked =
                KeyVerifier.verifyVerdict(verdict, nonce, key, hwid, app, keys);
            if (checked.highWater() != null) highWater = Math.max(highWater, checked.highWater());
            return checked.code();
        } catch (NoAnswer failure) {
            return "NO_ANSWER";
        }
    }

    /**
     * Fetches what to pin in the next version of the app. Do not trust them at
     * run time: a stranger's network could swap them.
     */
    public String publicKeys() throws NoAnswer {
        Response response = call("/.well-known/jwks.json", null, 0);
        if (response.status != 200 || response.object.isEmpty()) throw failureOf(response);
        return response.text;
    }

    /** A whole answer, from the server or something in between. The object is empty for other texts. */
    private record Response(int status, HttpHeaders headers, String text, Map<?, ?> object) {}

    private Response call(String path, String body, int hold) throws NoAnswer {
        FutureTask<Response> task = new FutureTask<>(() -> send(path, body, hold));
        Thread thread = new Thread(task, "key-client");
        thread.setDaemon(true);
        thread.start();
        try {
            // The timeout of HttpClient ends with the headers, before the body.
            return task.get(timeout.plusSeconds(hold).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new NoAnswer("network", 0);
        } catch (InterruptedException stopped) {
            throw new CancellationException();
        } finally {
            task.cancel(true);
        }
    }

    private Response send(String path, String body, int hold) throws IOException, InterruptedException {
        HttpRequest.Builder request =
            HttpRequest.newBuilder(URI.create(site + path)).header("API-Version", "1");
        request.header("Prefer", "wait=" + hold);
        if (body != null) {
            request.header("Content-Type", "application/json");
            request.POST(HttpRequest.BodyPublishers.ofString(body));
        }
        HttpResponse<InputStream> answer = HTTP.send(request.build(), BodyHandlers.ofInputStream());
        try (InputStream stream = answer.body()) {
            byte[] bytes = stream.readNBytes(LONGEST_ANSWER + 1);
            String text = new String(bytes, StandardCharsets.UTF_8);
            boolean isObject = bytes.length <= LONGEST_ANSWER;
            return new Response(
                answer.statusCode(),
                answer.headers(),
                text,
                isObject && KeyVerifier.Json.read(text) instanceof Map<?, ?> object ? object : Map.of());
        }
    }

    /** Accepts only what the server says about a key. Null for anything else. */
    private static Answer readAnswer(Response response) {
        Map<?, ?> from = response.object;
        boolean isOurs = isFromServer(response)
            && response.status == ("blocked".equals(from.get("status")) ? 403 : 200);
        if (!isOurs || !(from.get("status") instanceof String status)) return null;

        Object reason = from.get("reason");
        switch (status) {
            case "active":
                if (!(from.get("key") instanceof String key)) return null;
                if (!(from.get("expiresAt") instanceof Double end)) return null;
                return new Answer(status, key, end, null, null, null, null);
            case "in_progress":
                if (!(from.get("step") instanceof Double step)) return null;
                if (!(from.get("of") instanceof Double of)) return null;
                return new Answer(status, null, null, step.intValue(), of.intValue(), null, null);
            case "none":
                if (from.containsKey("reason") && !"zone".equals(reason)) return null;
                return new Answer(status, null, null, null, null, (String) reason, null);
            case "blocked":
                if (!(reason instanceof String text) || !from.containsKey("until")) return null;
                if (from.get("until") == null) return new Answer(status, null, null, null, null, text, null);
                if (!(from.get("until") instanceof Double until)) return null;
                return new Answer(status, null, null, null, null, text, until);
            default:
                return null;
        }
    }

    /** Looks for what every answer of ours contains. */
    private static boolean isFromServer(Response response) {
        return response.object.get("app") instanceof String
            && response.object.get("now") instanceof Double now && now > 0;
    }

    /** Tells a wrong question, which it throws, from what may pass. */
    private NoAnswer failureOf(Response response) {
        int status = response.status;
        if (status == 429 || status == 503) return new NoAnswer("busy", retryAfter(response.headers));
        if (status >= 500) return new NoAnswer("server", retryAfter(response.headers));

        Map<?, ?> problem = response.object;
        if (status >= 400
            && problem.get("type") instanceof String
            && problem.get("title") instanceof String title
            && problem.get("code") instanceof String code
            && FINAL_CODES.contains(code)) {
            throw new Refusal(code, problem.get("detail") instanceof String detail ? detail : title);
        }
        return new NoAnswer("answer", 0);
    }

    /**
     * Reads Retry-After, in seconds or as a date. A date counts from the
     * server's clock, when the answer tells it. 0 stands for anything absurd.
     */
    private double retryAfter(HttpHeaders headers) {
        String value = headers.firstValue("Retry-After").orElse("").trim();
        if (value.matches("[0-9]{1,6}")) return Math.min(Integer.parseInt(value), LONGEST_RETRY_AFTER);

        double until = secondsOf(value);
        double from = secondsOf(headers.firstValue("Date").orElse(""));
        if (Double.isNaN(from)) from = now.getAsDouble();
        return until > from ? Math.min(until - from, LONGEST_RETRY_AFTER) : 0;
    }

    private static double secondsOf(String date) {
        try {
            return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
        } catch (DateTimeException broken) {
            return Double.NaN;
        }
    }

    /**
     * 5, 10, 20, 40, 60 seconds, and up to 20 % more, so that not every app
     * comes back at once.
     */
    private static double pauseAfter(int failures, NoAnswer failure) {
        if (failure.retryAfter > 0) return failure.retryAfter;

        double pause = Math.min(USUAL_PAUSE * Math.pow(2, failures), LONGEST_PAUSE);
        return pause * (1 + 0.2 * RANDOM.nextDouble());
    }

    private String who() {
        return "hwid=" + encode(hwid) + "&zone=" + encode(zone);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Waits by the monotonic clock, which nobody sets. */
    private static void sleep(double seconds) {
        try {
            Thread.sleep((long) (seconds * 1000));
        } catch (InterruptedException stopped) {
            throw new CancellationException();
        }
    }
}
