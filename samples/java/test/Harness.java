import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Runs the sample for the tests: see samples/test-protocol.md. */
final class Harness {
    private static final BufferedReader LINES = new BufferedReader(new InputStreamReader(System.in));

    public static void main(String[] args) throws IOException {
        if (args[0].equals("verify")) verifyAll();
        else for (String line = LINES.readLine(); line != null; line = LINES.readLine()) {
            playRound(line.split(" "));
            tell("done");
        }
    }

    private static void tell(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) line.append(line.isEmpty() ? "" : " ").append(word instanceof Double d ? decimal(d) : word);
        System.out.println(line);
        System.out.flush();
    }

    private static String decimal(double seconds) {
        return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
    }

    private static void verifyAll() throws IOException {
        Map<?, ?> told = (Map<?, ?>) KeyVerifier.Json.read(System.in.readAllBytes());
        Map<?, ?> common = (Map<?, ?>) told.get("common");
        for (Object entry : list(told.get("vectors"))) {
            Vector vector = new Vector(common, (Map<?, ?>) entry);
            tell(attempt(() -> KeyVerifier.verify(vector.text("key"), vector.text("hwid"), vector.text("app"),
                vector.keys(), vector.number("now"), vector.number("highWater")).code()));
        }
        for (Object entry : list(told.get("verdicts"))) {
            Vector vector = new Vector(common, (Map<?, ?>) entry);
            tell(attempt(() -> {
                KeyVerifier.Verdict checked = KeyVerifier.verifyVerdict(vector.text("verdict"),
                    vector.text("nonce"), vector.text("key"), vector.text("hwid"), vector.text("app"), vector.keys());
                return checked.highWater() == null
                    ? checked.code() : checked.code() + " " + decimal(checked.highWater());
            }));
        }
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private record Vector(Map<?, ?> common, Map<?, ?> own) {
        Object field(String name) {
            return own.containsKey(name) ? own.get(name) : common.get(name);
        }

        String text(String name) {
            return field(name) instanceof String text ? text : null;
        }

        double number(String name) {
            return field(name) instanceof Double number ? number : Double.NaN;
        }

        String keys() {
            return write(field("jwks"));
        }
    }

    private static String write(Object value) {
        if (value instanceof String text) return KeyVerifier.Json.quote(text);
        if (value instanceof Map<?, ?> map) {
            return "{" + String.join(",", map.entrySet().stream()
                .map(entry -> write(entry.getKey()) + ":" + write(entry.getValue())).toList()) + "}";
        }
        if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Harness::write).toList()) + "]";
        return String.valueOf(value);
    }

    /** Says what was raised instead of a result. */
    private static String attempt(Supplier<String> what) {
        try {
            return what.get();
        } catch (Throwable raised) {
            return "raised " + raised;
        }
    }

    private static String fetchKeys(String site) {
        try {
            return new KeyClient(site, "main", "", "", "", 0).publicKeys();
        } catch (KeyClient.NoAnswer failure) {
            return null;
        }
    }

    private static void playRound(String[] fields) {
        String app = fields[1], hwid = fields[2], cached = fields[7];
        String keys = fields[8].equals("-") ? fetchKeys(fields[0]) : fields[8];
        double clock = Double.parseDouble(fields[5]);
        KeyClient client = new KeyClient(fields[0], app, hwid, fields[3], keys, Double.parseDouble(fields[6]));
        client.timeout = Duration.ofMillis((long) (Double.parseDouble(fields[4]) * 1000));
        client.now = () -> System.currentTimeMillis() / 1000.0 + clock;
        client.wait = seconds -> {
            tell("wait", seconds);
            try {
                if (LINES.readLine() == null) System.exit(1);
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        };

        try {
            tell("link", client.link());
            if (!cached.equals("-")) {
                String code = client.open(cached, () -> tell("opened"));
                tell("open", code);
                if (code.equals("VALID")) {
                    tell("high water", client.highWater());
                    return;
                }
            }
            KeyClient.Answer answer = client.waitForKey(
                a -> tell(a.step() == null ? new Object[] {"answer", a.status()} : new Object[] {"answer", a.status(), a.step()}),
                (reason, seconds) -> tell("waiting", reason, seconds));
            if (answer.status().equals("active")) {
                String key = answer.key();
                double now = client.now.getAsDouble();
                tell("offline", KeyVerifier.verify(key, hwid, app, keys, now, client.highWater()).code());
                tell("offline elsewhere",
                    KeyVerifier.verify(key, "another-device", app, keys, now, client.highWater()).code());
                tell("online", client.checkOnline(key));
            }
            tell("high water", client.highWater());
        } catch (KeyClient.Refusal refusal) {
            tell("refused", refusal.code);
        } catch (Throwable raised) {
            tell("raised", raised);
        }
    }
}
