using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using KeySystem;

/// <summary>Runs the sample for the tests: see samples/test-protocol.md.</summary>
static class Harness
{
    static int Main(string[] args)
    {
        if (args[0] == "verify") VerifyAll();
        else PlayAll().Wait();
        return 0;
    }

    static void Tell(params object[] words)
    {
        Console.WriteLine(string.Join(" ", words.Select(word => word is double d ? Decimal(d) : word)));
        Console.Out.Flush();
    }

    static string Decimal(double seconds)
    {
        return seconds.ToString("0.################", CultureInfo.InvariantCulture);
    }

    static void VerifyAll()
    {
        var told = (Dictionary<string, object>)Json.Read(Console.In.ReadToEnd());
        var common = (Dictionary<string, object>)told["common"];
        foreach (Dictionary<string, object> own in List(told, "vectors"))
        {
            Func<string, object> field = name => own.ContainsKey(name) ? own[name] : common.Get(name);
            Tell(Attempt(() => KeyVerifier.Verify(
                field("key") as string, field("hwid") as string, field("app") as string, Write(field("jwks")),
                field("now") as double? ?? double.NaN, field("highWater") as double? ?? double.NaN).Code));
        }
        foreach (Dictionary<string, object> own in List(told, "verdicts"))
        {
            Func<string, object> field = name => own.ContainsKey(name) ? own[name] : common.Get(name);
            Tell(Attempt(() =>
            {
                Verdict found = KeyVerifier.VerifyVerdict(
                    field("verdict") as string, field("nonce") as string, field("key") as string,
                    field("hwid") as string, field("app") as string, Write(field("jwks")));
                return found.HighWater is double seen ? found.Code + " " + Decimal(seen) : found.Code;
            }));
        }
    }

    static List<object> List(Dictionary<string, object> of, string name)
    {
        return of.Get(name) as List<object> ?? new List<object>();
    }

    static string Write(object value)
    {
        if (value is string text) return Json.Quote(text);
        if (value is bool yes) return yes ? "true" : "false";
        if (value is double number) return number.ToString("R", CultureInfo.InvariantCulture);
        if (value is List<object> list) return "[" + string.Join(",", list.Select(Write)) + "]";
        if (value is Dictionary<string, object> map)
        {
            return "{" + string.Join(",", map.Select(entry => Json.Quote(entry.Key) + ":" + Write(entry.Value))) + "}";
        }
        return "null";
    }

    /// <summary>Says what was raised instead of a result.</summary>
    static string Attempt(Func<string> what)
    {
        try
        {
            return what();
        }
        catch (Exception raised)
        {
            return "raised " + raised;
        }
    }

    static async Task PlayAll()
    {
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            await Play(line.Split(' '));
            Tell("done");
        }
    }

    static async Task Play(string[] fields)
    {
        string app = fields[1], hwid = fields[2], cached = fields[7], keys = fields[8];
        if (keys == "-") keys = await new KeyClient { Site = fields[0] }.PublicKeys();
        double clock = Number(fields[5]);
        var client = new KeyClient
        {
            Site = fields[0],
            App = app,
            Hwid = hwid,
            Zone = fields[3],
            Keys = keys,
            HighWater = Number(fields[6]),
            Timeout = TimeSpan.FromSeconds(Number(fields[4])),
            Now = () => DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() / 1000.0 + clock,
            Wait = (seconds, token) =>
            {
                Tell("wait", seconds);
                if (Console.ReadLine() == null) Environment.Exit(1);
                return Task.FromResult(0);
            },
        };

        try
        {
            Tell("link", client.Link());
            if (cached != "-")
            {
                string code = await client.Open(cached, () => Tell("opened"));
                Tell("open", code);
                if (code == "VALID")
                {
                    Tell("high water", client.HighWater);
                    return;
                }
            }
            Answer answer = await client.WaitForKey(
                heard => Tell(("answer " + heard.Status + " " + heard.Step).Trim()),
                (reason, seconds) => Tell("waiting", reason, seconds));
            if (answer.Status == "active")
            {
                Func<string, string> check =
                    device => KeyVerifier.Verify(answer.Key, device, app, keys, client.Now(), client.HighWater).Code;
                Tell("offline", check(hwid));
                Tell("offline elsewhere", check("another-device"));
                Tell("online", await client.CheckOnline(answer.Key));
            }
            Tell("high water", client.HighWater);
        }
        catch (Refusal refusal)
        {
            Tell("refused", refusal.Code);
        }
        catch (Exception raised)
        {
            Tell("raised", raised.ToString().Replace("\n", " "));
        }
    }

    static double Number(string text)
    {
        return double.Parse(text, CultureInfo.InvariantCulture);
    }
}
