// Gets a key of the key system. .NET, Mono or Unity; it needs KeyVerifier.cs.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace KeySystem
{
    /// <summary>
    /// A client of the key system: it opens the page, waits for the key, and
    /// checks it. To stop a call, cancel its token.
    /// </summary>
    public sealed class KeyClient
    {
        // The pause after an answer, and after the first failure, in seconds.
        const double UsualPause = 5;
        // What the pauses grow to while nothing is answered.
        const double LongestPause = 60;
        // What a Retry-After counts at most.
        const double LongestRetryAfter = 300;
        // An answer is not longer than this, in bytes.
        const int LongestAnswer = 64 * 1024;

        // No waiting helps against these: the app has asked a wrong question.
        static readonly HashSet<string> FinalCodes =
            new HashSet<string> { "request.invalid", "request.version", "KS_HWID", "KS_ZONE", "KS_APP" };

        static readonly HttpClient Http =
            new HttpClient { Timeout = System.Threading.Timeout.InfiniteTimeSpan };

        /// <summary>The address of the site, without a slash at its end.</summary>
        public string Site;
        /// <summary>"main", "companion", or the id of a registered app.</summary>
        public string App;
        /// <summary>The device: 6 to 128 letters, digits, dots, colons, dashes, underscores.</summary>
        public string Hwid;
        /// <summary>A token of your own. Only calls with the same zone get the key.</summary>
        public string Zone;
        // New ones come with an update of the app, never from the network.
        /// <summary>The answer of /.well-known/jwks.json, pinned in the app.</summary>
        public string Keys;
        /// <summary>The latest time that the server has signed, in seconds. Load it before, store it after.</summary>
        public double HighWater;

        /// <summary>How long a call may take.</summary>
        public TimeSpan Timeout = TimeSpan.FromSeconds(10);

        /// <summary>How the client waits, in seconds. Nobody sets the clock of Task.Delay.</summary>
        public Func<double, CancellationToken, Task> Wait =
            (seconds, token) => Task.Delay(TimeSpan.FromSeconds(seconds), token);

        /// <summary>The device's clock, in seconds since 1970.</summary>
        public Func<double> Now = () => DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() / 1000.0;

        /// <summary>The page to open in the visitor's browser.</summary>
        public string Link()
        {
            string page =
                App == "main" ? "/key-system-1?"
                : App == "companion" ? "/rosaverx/key-system-1?"
                : "/apps/key-system-1?app=" + Uri.EscapeDataString(App) + "&";
            return Site + page + Who();
        }

        /// <summary>Asks for the key once. Throws a Refusal or a NoAnswer.</summary>
        public async Task<Answer> AskForKey(CancellationToken token = default)
        {
            Response response =
                await Call("/api/key?" + Who() + "&app=" + Uri.EscapeDataString(App), null, token);
            Answer answer = Answer.Read(response.Status, response.Body);
            if (answer == null) throw FailureOf(response);
            return answer;
        }

        /// <summary>
        /// Asks for the key until the app has something to do. "active": open
        /// the app. "blocked": wait until the given time. "none" with the
        /// reason "zone": open the page again, because the key was earned with
        /// another zone. It goes on through everything that may pass, and
        /// throws only a Refusal.
        /// </summary>
        /// <param name="onWaiting">
        /// hears what it waits for, "network", "server", "busy", "answer" or
        /// "steps", and for how many seconds
        /// </param>
        public async Task<Answer> WaitForKey(
            Action<Answer> onAnswer, Action<string, double> onWaiting, CancellationToken token = default)
        {
            for (int failures = 0; ;)
            {
                string reason = "steps";
                double pause = UsualPause;
                try
                {
                    Answer answer = await AskForKey(token);
                    failures = 0;
                    onAnswer(answer);
                    bool hasBegun = answer.Status == "in_progress";
                    bool mayBegin = answer.Status == "none" && answer.Reason == null;
                    if (!hasBegun && !mayBegin) return answer;
                }
                catch (NoAnswer failure)
                {
                    reason = failure.Reason;
                    pause = PauseAfter(failures++, failure);
                }
                onWaiting(reason, pause);
                await Wait(pause, token);
            }
        }

        /// <summary>
        /// Opens the app with the key that it has stored, whether there is a
        /// network or not: a key that is right calls onOpen at once. Then the
        /// server is asked. Any code but "VALID" closes the app: the key has
        /// ended, or the server has withdrawn it.
        /// </summary>
        public async Task<string> Open(string cachedKey, Action onOpen, CancellationToken token = default)
        {
            Verdict verdict = KeyVerifier.Verify(cachedKey, Hwid, App, Keys, Now(), HighWater);
            if (verdict.Code != "VALID") return verdict.Code;

            HighWater = Math.Max(HighWater, verdict.HighWater.Value);
            onOpen();
            try
            {
                string code = await CheckOnline(cachedKey, token);
                return code == "UNTRUSTED" || code == "NO_ANSWER" ? "VALID" : code;
            }
            catch (Refusal)
            {
                return "VALID";
            }
        }

        /// <summary>
        /// Has the server check a key. Only the server knows of withdrawn keys.
        /// It asks once, and throws only a Refusal.
        /// </summary>
        /// <returns>
        /// the server's code, proven by its signature, or "UNTRUSTED", or "NO_ANSWER"
        /// </returns>
        public async Task<string> CheckOnline(string key, CancellationToken token = default)
        {
            string nonce = KeyVerifier.Encode(RandomBytes(24));
            string question = string.Format(
                "{{\"key\":{0},\"hwid\":{1},\"app\":{2},\"nonce\":{3}}}",
                Json.Quote(key), Json.Quote(Hwid), Json.Quote(App), Json.Quote(nonce));
            try
            {
                Response response = await Call("/api/key/verify", question, token);
                bool isVerdict = Answer.IsFromServer(response.Body)
                    && response.Body.Get("valid") is bool
                    && response.Body.Get("code") is string;
                if (response.Status != 200 || !isVerdict) throw FailureOf(response);

                string verdict = response.Body.Get("verdict") as string;
                Verdict found = KeyVerifier.VerifyVerdict(verdict, nonce, key, Hwid, App, Keys);
                HighWater = Math.Max(HighWater, found.HighWater ?? 0);
                return found.Code;
            }
            catch (NoAnswer)
            {
                return "NO_ANSWER";
            }
        }

        /// <summary>
        /// Fetches what to pin in the next version of the app. Do not trust them
        /// at run time: a stranger's network could swap them.
        /// </summary>
        public async Task<string> PublicKeys(CancellationToken token = default)
        {
            Response response = await Call("/.well-known/jwks.json", null, token);
            if (response.Status != 200 || response.Body.Count == 0) throw FailureOf(response);
            return response.Text;
        }

        /// <summary>A whole answer, from the server or from something in between.</summary>
        sealed class Response
        {
            public int Status;
            public DateTimeOffset? Date;
            public string RetryAfter, Text;

            /// <summary>Empty when the text is no object.</summary>
            public Dictionary<string, object> Body;
        }

        async Task<Response> Call(string path, string question, CancellationToken token)
        {
            using (var stop = CancellationTokenSource.CreateLinkedTokenSource(token))
            {
                stop.CancelAfter(Timeout);
                try
                {
                    return await Send(path, question, stop.Token);
                }
                catch (Exception)
                {
                    token.ThrowIfCancellationRequested();
                    throw new NoAnswer("network", 0);
                }
            }
        }

        async Task<Response> Send(string path, string question, CancellationToken token)
        {
            var method = question == null ? HttpMethod.Get : HttpMethod.Post;
            using (var request = new HttpRequestMessage(method, Site + path))
            {
                request.Headers.Add("API-Version", "1");
                if (question != null)
                {
                    request.Content = new StringContent(question, Encoding.UTF8, "application/json");
                }
                using (HttpResponseMessage answer =
                    await Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, token))
                // Not every platform ends a read with its token.
                using (token.Register(answer.Dispose))
                {
                    answer.Headers.TryGetValues("Retry-After", out IEnumerable<string> retryAfter);
                    string text = await ReadText(answer.Content, token);
                    var body = Json.Read(text) as Dictionary<string, object>;
                    return new Response
                    {
                        Status = (int)answer.StatusCode,
                        Date = answer.Headers.Date,
                        RetryAfter = retryAfter?.FirstOrDefault() ?? "",
                        Text = text,
                        Body = body ?? new Dictionary<string, object>(),
                    };
                }
            }
        }

        /// <summary>The whole text, or "" when it is longer than an answer.</summary>
        static async Task<string> ReadText(HttpContent content, CancellationToken token)
        {
            long? length = content.Headers.ContentLength;
            byte[] buffer = new byte[LongestAnswer + 1];
            int read = 0;
            Stream stream = await content.ReadAsStreamAsync();
            for (int more = 1; more > 0 && read < buffer.Length; read += more)
            {
                more = await stream.ReadAsync(buffer, read, buffer.Length - read, token);
            }
            token.ThrowIfCancellationRequested();
            if (read > LongestAnswer) return "";
            if (read < length) throw new EndOfStreamException();

            return Encoding.UTF8.GetString(buffer, 0, read);
        }

        /// <summary>Tells a wrong question from what may pass.</summary>
        Exception FailureOf(Response response)
        {
            int status = response.Status;
            if (status == 429 || status == 503) return new NoAnswer("busy", RetryAfter(response));
            if (status >= 500) return new NoAnswer("server", RetryAfter(response));

            bool isFinal = status >= 400
                && response.Body.Get("type") is string
                && response.Body.Get("title") is string
                && FinalCodes.Contains(response.Body.Get("code") as string ?? "");
            if (!isFinal) return new NoAnswer("answer", 0);

            string detail = response.Body.Get("detail") as string ?? (string)response.Body.Get("title");
            return new Refusal((string)response.Body.Get("code"), detail);
        }

        /// <summary>
        /// Reads Retry-After, in seconds or as a date. A date counts from the
        /// server's clock, when the answer tells it. 0 stands for anything absurd.
        /// </summary>
        double RetryAfter(Response response)
        {
            string value = response.RetryAfter.Trim();
            if (Regex.IsMatch(value, "^[0-9]{1,6}$"))
            {
                return Math.Min(double.Parse(value, CultureInfo.InvariantCulture), LongestRetryAfter);
            }
            bool isDate = DateTimeOffset.TryParseExact(
                value, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var until);
            if (!isDate) return 0;

            double now = response.Date?.ToUnixTimeSeconds() ?? Now();
            return Math.Min(Math.Max(until.ToUnixTimeSeconds() - now, 0), LongestRetryAfter);
        }

        /// <summary>
        /// 5, 10, 20, 40, 60 seconds, and up to 20 % more, so that not every app
        /// comes back at once.
        /// </summary>
        static double PauseAfter(int failures, NoAnswer failure)
        {
            if (failure.RetryAfter > 0) return failure.RetryAfter;

            double pause = Math.Min(UsualPause * Math.Pow(2, failures), LongestPause);
            return pause * (1 + 0.2 * RandomBytes(1)[0] / 255);
        }

        string Who() =>
            "hwid=" + Uri.EscapeDataString(Hwid) + "&zone=" + Uri.EscapeDataString(Zone);

        static byte[] RandomBytes(int count)
        {
            byte[] bytes = new byte[count];
            using (var random = RandomNumberGenerator.Create()) random.GetBytes(bytes);
            return bytes;
        }
    }

    /// <summary>
    /// How a device's key stands. Times are in milliseconds since 1970, by the
    /// server's clock; what does not belong to the status is null.
    /// </summary>
    public sealed class Answer
    {
        /// <summary>"active", "in_progress", "none" or "blocked".</summary>
        public readonly string Status;
        /// <summary>Of "active", as ExpiresAt is.</summary>
        public readonly string Key;
        public readonly double? ExpiresAt;
        /// <summary>Of "in_progress": step 2 of 3.</summary>
        public readonly double? Step, Of;
        /// <summary>Of "blocked", and of "none" when it is "zone".</summary>
        public readonly string Reason;
        /// <summary>Of "blocked"; null when it does not end.</summary>
        public readonly double? Until;

        Answer(Dictionary<string, object> from)
        {
            Status = from.Get("status") as string;
            Key = from.Get("key") as string;
            ExpiresAt = from.Get("expiresAt") as double?;
            Step = from.Get("step") as double?;
            Of = from.Get("of") as double?;
            Reason = from.Get("reason") as string;
            Until = from.Get("until") as double?;
        }

        /// <summary>Accepts only what the server says about a key. Null for anything else.</summary>
        internal static Answer Read(int status, Dictionary<string, object> from)
        {
            var answer = new Answer(from);
            bool isOurs = IsFromServer(from)
                && status == (answer.Status == "blocked" ? 403 : 200)
                && answer.IsWhole(from);
            return isOurs ? answer : null;
        }

        /// <summary>Looks for what every answer of ours contains.</summary>
        internal static bool IsFromServer(Dictionary<string, object> from) =>
            from.Get("app") is string && from.Get("now") is double now && now > 0;

        bool IsWhole(Dictionary<string, object> from)
        {
            if (Status == "active") return Key != null && ExpiresAt != null;
            if (Status == "in_progress") return Step != null && Of != null;
            if (Status == "none") return Reason == "zone" || !from.ContainsKey("reason");

            bool hasUntil = Until != null || from.ContainsKey("until") && from["until"] == null;
            return Status == "blocked" && Reason != null && hasUntil;
        }
    }

    /// <summary>The app has asked a wrong question. The page /errors explains each code.</summary>
    public sealed class Refusal : Exception
    {
        public readonly string Code;

        internal Refusal(string code, string detail) : base(detail) => Code = code;
    }

    /// <summary>Nothing that helps, but asking again later may.</summary>
    public sealed class NoAnswer : Exception
    {
        /// <summary>"network", "server", "busy" or "answer".</summary>
        public readonly string Reason;
        ///  <summary>The pause that the server asks for, in seconds, or 0.</summary>
        public readonly double RetryAfter;

        internal NoAnswer(string reason, double retryAfter) : base("No answer: " + reason)
        {
            Reason = reason;
            RetryAfter = retryAfter;
        }
    }
}
