// Waiting <method> <address> does for Java's HttpClient what waiting.mjs does for libraries of npm.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

public final class Waiting {
    public static void main(String[] args) throws Exception {
        var body = BodyPublishers.ofString(args[0].equals("POST") ? "{\"key\":\"k\",\"hwid\":\"device-1234\"}" : "");
        var request = HttpRequest.newBuilder(URI.create(args[1]))
            .method(args[0], args[0].equals("POST") ? body : BodyPublishers.noBody())
            .header("prefer", "wait=25")
            .header("content-type", "application/json")
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println("{\"status\":" + answer.statusCode() + ",\"text\":" + quote(answer.body()) + "}");
    }

    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
