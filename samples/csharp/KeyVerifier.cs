// Checks a key on its device. .NET, Mono or Unity, no packages.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace KeySystem
{
    /// <summary>The result of a check. Only the code "VALID" opens the app.</summary>
    public sealed class Verdict
    {
        public readonly string Code;

        /// <summary>In seconds since 1970; null when the content is not proven.</summary>
        public readonly double? ExpiresAt;

        /// <summary>Comes with "VALID" and with verdicts: store it for the next check.</summary>
        public readonly double? HighWater;

        internal Verdict(string code, double? expiresAt = null, double? highWater = null)
        {
            Code = code;
            ExpiresAt = expiresAt;
            HighWater = highWater;
        }
    }

    /// <summary>
    /// Checks a key on its device without the server. An app does this at each
    /// start.
    /// </summary>
    public static class KeyVerifier
    {
        /// <summary>How many seconds a device's clock may be behind the server's.</summary>
        const int ClockSkew = 300;

        /// <summary>Checks a key. It never throws, whatever it is given.</summary>
        /// <param name="jwks">the answer of /.well-known/jwks.json, pinned in the app</param>
        /// <param name="now">the device's clock, in seconds since 1970</param>
        /// <param name="highWater">
        /// the latest time of the server that the app has stored, in seconds
        /// </param>
        public static Verdict Verify(
            string key, string hwid, string app, string jwks, double now, double highWater)
        {
            Dictionary<string, object> claims = ReadSigned(key, "key+jws", jwks, out string failure);
            if (claims == null) return new Verdict(failure);
            if (!1.0.Equals(claims.Get("v"))
                || !(claims.Get("aud") is string aud)
                || !(claims.Get("sub") is string sub)
                || !(claims.Get("iat") is double iat)
                || !(claims.Get("nbf") is double nbf)
                || !(claims.Get("exp") is double exp))
            {
                return new Verdict("SIGNATURE");
            }

            // The signature is right, so the content of the key is true.
            if (aud != app) return new Verdict("APP_MISMATCH", exp);
            if (hwid == null || sub != HashOf("ks1|" + hwid.Trim())) return new Verdict("DEVICE_MISMATCH", exp);

            double seen = IsFinite(highWater) ? highWater : 0;
            if (!IsFinite(now) || now + ClockSkew < seen) return new Verdict("CLOCK_BACK", exp);
            if (now + ClockSkew < nbf) return new Verdict("NOT_YET", exp);
            if (now >= exp) return new Verdict("EXPIRED", exp);

            return new Verdict("VALID", exp, Math.Max(seen, iat));
        }

        /// <summary>
        /// Checks that the server has signed an answer to one question: about
        /// this key, this device, this app, and this nonce.
        /// </summary>
        /// <returns>with the code in the verdict, or "UNTRUSTED"</returns>
        public static Verdict VerifyVerdict(
            string verdict, string nonce, string key, string hwid, string app, string jwks)
        {
            Dictionary<string, object> claims = ReadSigned(verdict, "verdict+jws", jwks, out _);
            bool isOurs = claims != null && nonce != null && key != null && hwid != null && app != null
                && 1.0.Equals(claims.Get("v"))
                && nonce.Equals(claims.Get("nonce"))
                && app.Equals(claims.Get("aud"))
                && HashOf("ks1|" + hwid).Equals(claims.Get("sub"))
                && HashOf(key).Equals(claims.Get("key"));
            if (!isOurs || !(claims.Get("code") is string code)) return new Verdict("UNTRUSTED");
            if (!(claims.Get("iat") is double iat) || !(claims.Get("exp") is double exp)) return new Verdict(code);
            // No later than the key's end: a server with a wrong clock must not lock the app out.
            return new Verdict(code, exp, Math.Min(iat, exp));
        }

        /// <summary>Reads a compact JWS of one type and one algorithm.</summary>
        /// <returns>the claims that one of the public keys has signed, or null</returns>
        static Dictionary<string, object> ReadSigned(
            string token, string typ, string jwks, out string failure)
        {
            failure = "SIGNATURE";
            string[] parts = (token ?? "").Split('.');
            if (parts.Length != 3) return null;

            Dictionary<string, object> head = ReadPart(parts[0]);
            bool isOurs = head != null && head.Count == 3
                && "EdDSA".Equals(head.Get("alg")) && typ.Equals(head.Get("typ"));
            if (!isOurs || !(head.Get("kid") is string kid)) return null;

            Dictionary<string, object> jwk = FindKey(jwks, kid);
            if (jwk == null)
            {
                failure = "UNKNOWN_KID";
                return null;
            }

            bool isEd25519 = "OKP".Equals(jwk.Get("kty")) && "Ed25519".Equals(jwk.Get("crv"));
            byte[] publicKey = isEd25519 ? Decode(jwk.Get("x") as string) : null;
            byte[] signed = Encoding.UTF8.GetBytes(parts[0] + "." + parts[1]);
            return Ed25519.Verify(publicKey, signed, Decode(parts[2])) ? ReadPart(parts[1]) : null;
        }

        static Dictionary<string, object> FindKey(string jwks, string kid)
        {
            var set = Json.Read(jwks) as Dictionary<string, object>;
            var keys = set?.Get("keys") as List<object> ?? new List<object>();
            return keys.OfType<Dictionary<string, object>>()
                .FirstOrDefault(jwk => kid.Equals(jwk.Get("kid")));
        }

        /// <summary>How a key contains its device, and a verdict its key.</summary>
        static string HashOf(string text)
        {
            using (SHA256 sha256 = SHA256.Create())
                return Encode(sha256.ComputeHash(Encoding.UTF8.GetBytes(text)));
        }

        static Dictionary<string, object> ReadPart(string part)
        {
            try
            {
                byte[] bytes = Decode(part);
                string text = bytes == null ? null : new UTF8Encoding(false, true).GetString(bytes);
                return Json.Read(text) as Dictionary<string, object>;
            }
            catch (ArgumentException)
            {
                return null;
            }
        }

        /// <summary>Decodes base64url in its one right spelling. Null for any other text.</summary>
        static byte[] Decode(string text)
        {
            try
            {
                string padding = new string('=', (4 - (text ?? "").Length % 4) % 4);
                byte[] bytes = Convert.FromBase64String(
                    (text ?? "").Replace('-', '+').Replace('_', '/') + padding);
                return Encode(bytes) == text ? bytes : null;
            }
            catch (FormatException)
            {
                return null;
            }
        }

        internal static string Encode(byte[] bytes) =>
            Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

        internal static object Get(this Dictionary<string, object> map, string name) =>
            map.TryGetValue(name, out object value) ? value : null;

        static bool IsFinite(double value) => !double.IsNaN(value) && !double.IsInfinity(value);
    }

    /// <summary>
    /// Checks signatures as RFC 8032 says, for .NET has no Ed25519. There is
    /// nothing secret in it, so it need not take the same time for all numbers.
    /// </summary>
    static class Ed25519
    {
        static readonly BigInteger P = BigInteger.Pow(2, 255) - 19;
        static readonly BigInteger Order =
            BigInteger.Pow(2, 252) + BigInteger.Parse("27742317777372353535851937790883648493");
        static readonly BigInteger D = Mod(-121665 * Inverse(121666));
        static readonly BigInteger RootOfMinusOne = BigInteger.ModPow(2, (P - 1) / 4, P);
        static readonly Point Base = Point.Decode(Bytes(Mod(4 * Inverse(5))));

        public static bool Verify(byte[] publicKey, byte[] message, byte[] signature)
        {
            if (publicKey?.Length != 32 || signature?.Length != 64) return false;

            Point a = Point.Decode(publicKey);
            BigInteger s = Number(signature.Skip(32));
            if (a == null || a.IsOfSmallOrder || s >= Order) return false;

            using (SHA512 sha512 = SHA512.Create())
            {
                byte[] r = signature.Take(32).ToArray();
                byte[] hash = sha512.ComputeHash(r.Concat(publicKey).Concat(message).ToArray());
                // s · B = R + k · A. R is compared as bytes, so it has one spelling.
                return Point.Sum(s, Base, Number(hash) % Order, a.Negative).Encode().SequenceEqual(r);
            }
        }

        static BigInteger Mod(BigInteger value)
        {
            BigInteger rest = value % P;
            return rest.Sign < 0 ? rest + P : rest;
        }

        static BigInteger Inverse(BigInteger value) =>
            BigInteger.ModPow(Mod(value), P - 2, P);

        /// <summary>Little-endian and positive.</summary>
        static BigInteger Number(IEnumerable<byte> bytes) =>
            new BigInteger(bytes.Concat(new byte[] { 0 }).ToArray());

        static byte[] Bytes(BigInteger value) =>
            value.ToByteArray().Concat(new byte[32]).Take(32).ToArray();

        /// <summary>A point in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z.</summary>
        sealed class Point
        {
            static readonly Point Zero = new Point(0, 1, 1, 0);

            readonly BigInteger x, y, z, t;

            Point(BigInteger x, BigInteger y, BigInteger z, BigInteger t)
            {
                this.x = x;
                this.y = y;
                this.z = z;
                this.t = t;
            }

            public Point Negative => new Point(-x, y, z, -t);

            public bool IsOfSmallOrder
            {
                get
                {
                    Point two = this + this, four = two + two, eight = four + four;
                    return Mod(eight.x).IsZero && Mod(eight.y - eight.z).IsZero;
                }
            }

            /// <summary>Null for bytes that are no point, or another spelling of one.</summary>
            public static Point Decode(byte[] bytes)
            {
                BigInteger number = Number(bytes), half = BigInteger.Pow(2, 255);
                BigInteger sign = number / half, y = number % half;
                BigInteger square = Mod((y * y - 1) * Inverse(D * y * y + 1));
                BigInteger x = BigInteger.ModPow(square, (P + 3) / 8, P);
                if (x * x % P != square) x = x * RootOfMinusOne % P;
                if (y >= P || x * x % P != square || (x.IsZero && !sign.IsZero)) return null;

                if (x % 2 != sign) x = P - x;
                return new Point(x, y, 1, x * y % P);
            }

            public byte[] Encode()
            {
                BigInteger inverse = Inverse(z);
                return Bytes(Mod(y * inverse) + Mod(x * inverse) % 2 * BigInteger.Pow(2, 255));
            }

            /// <summary>n · p + m · q</summary>
            public static Point Sum(BigInteger n, Point p, BigInteger m, Point q)
            {
                Point sum = Zero, both = p + q;
                for (int bit = 252; bit >= 0; bit--)
                {
                    bool hasN = !(n >> bit).IsEven, hasM = !(m >> bit).IsEven;
                    sum += sum;
                    if (hasN || hasM) sum += hasN && hasM ? both : hasN ? p : q;
                }
                return sum;
            }

            public static Point operator +(Point p, Point q)
            {
                BigInteger a = (p.y - p.x) * (q.y - q.x) % P, b = (p.y + p.x) * (q.y + q.x) % P;
                BigInteger c = 2 * p.t * q.t % P * D % P, d = 2 * p.z * q.z % P;
                BigInteger e = b - a, f = d - c, g = d + c, h = b + a;
                return new Point(e * f % P, g * h % P, f * g % P, e * h % P);
            }
        }
    }

    /// <summary>A strict reader of JSON: texts, doubles, booleans, lists and maps.</summary>
    sealed class Json
    {
        const int Deepest = 50;

        static readonly Regex Quoted =
            new Regex(@"\G""((?:[^""\\\x00-\x1f]|\\(?:[""\\/bfnrt]|u[0-9a-fA-F]{4}))*)""");
        static readonly Regex Plain =
            new Regex(@"\G(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)");

        readonly string text;
        int at;

        Json(string text)
        {
            this.text = text;
        }

        /// <summary>Null for a text that is not JSON, as for the JSON text null.</summary>
        public static object Read(string text)
        {
            try
            {
                var json = new Json(text ?? "");
                object value = json.Value(0);
                json.Next();
                return json.at == json.text.Length ? value : null;
            }
            catch (FormatException)
            {
                return null;
            }
        }

        public static string Quote(string text) =>
            '"' + Regex.Replace(text, @"[""\\\x00-\x1f]", Escape) + '"';

        static string Escape(Match match) => "\\u" + ((int)match.Value[0]).ToString("x4");

        object Value(int depth)
        {
            if (depth > Deepest) throw new FormatException();
            switch (Next())
            {
                case '{':
                    var map = new Dictionary<string, object>();
                    at++;
                    while (HasMore('}', map.Count == 0))
                    {
                        Next();
                        string name = Text();
                        Expect(':');
                        map[name] = Value(depth + 1);
                    }
                    return map;
                case '[':
                    var list = new List<object>();
                    at++;
                    while (HasMore(']', list.Count == 0)) list.Add(Value(depth + 1));
                    return list;
                case '"':
                    return Text();
                default:
                    return PlainValue();
            }
        }

        bool HasMore(char end, bool isFirst)
        {
            bool isOver = Next() == end;
            if (isOver) at++;
            else if (!isFirst) Expect(',');
            return !isOver;
        }

        string Text() => Regex.Unescape(Take(Quoted).Groups[1].Value);

        object PlainValue()
        {
            string plain = Take(Plain).Value;
            if (plain == "null") return null;
            if (plain == "true" || plain == "false") return plain == "true";

            bool isRead = double.TryParse(
                plain, NumberStyles.Float, CultureInfo.InvariantCulture, out double value);
            return isRead && !double.IsInfinity(value) ? value : throw new FormatException();
        }

        Match Take(Regex pattern)
        {
            Match match = pattern.Match(text, at);
            if (!match.Success) throw new FormatException();
            at += match.Length;
            return match;
        }

        void Expect(char mark)
        {
            if (Next() != mark) throw new FormatException();
            at++;
        }

        /// <summary>Skips space. '\0' at the end.</summary>
        char Next()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
            return at < text.Length ? text[at] : '\0';
        }
    }
}
