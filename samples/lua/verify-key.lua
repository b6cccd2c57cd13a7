-- Checks a key on its device without the server, and the server's signed verdict
-- about a key. One file, no libraries: Lua 5.1 to 5.4, LuaJIT, Luau. It counts in
-- floats, so it needs neither integers of 64 bits nor bit operators.
--
--   local result = VerifyKey.verifyKey({
--     key = key, hwid = hwid, app = "main",
--     jwks = JWKS,            -- the public keys as a table; ship them in the script
--     now = os.time(),        -- the device's clock, in seconds since 1970
--     highWater = highWater,  -- the latest time of the server that you have stored
--     decode = decode,        -- turns JSON into tables; it may raise
--   })
--
-- Only the code "VALID" opens the app; store the highWater that comes with it.
-- Neither function raises, whatever the key, the device and the keys are.

local VerifyKey = {}

local floor = math.floor
local unpack = table.unpack or unpack

-- How many seconds a device's clock may be behind the server's.
local CLOCK_SKEW = 300

-- SHA-2 (FIPS 180-4). The constants of SHA-256 are the first halves of these.
local ROUNDS = [[
  428a2f98d728ae22 7137449123ef65cd b5c0fbcfec4d3b2f e9b5dba58189dbbc 3956c25bf348b538 59f111f1b605d019
  923f82a4af194f9b ab1c5ed5da6d8118 d807aa98a3030242 12835b0145706fbe 243185be4ee4b28c 550c7dc3d5ffb4e2
  72be5d74f27b896f 80deb1fe3b1696b1 9bdc06a725c71235 c19bf174cf692694 e49b69c19ef14ad2 efbe4786384f25e3
  0fc19dc68b8cd5b5 240ca1cc77ac9c65 2de92c6f592b0275 4a7484aa6ea6e483 5cb0a9dcbd41fbd4 76f988da831153b5
  983e5152ee66dfab a831c66d2db43210 b00327c898fb213f bf597fc7beef0ee4 c6e00bf33da88fc2 d5a79147930aa725
  06ca6351e003826f 142929670a0e6e70 27b70a8546d22ffc 2e1b21385c26c926 4d2c6dfc5ac42aed 53380d139d95b3df
  650a73548baf63de 766a0abb3c77b2a8 81c2c92e47edaee6 92722c851482353b a2bfe8a14cf10364 a81a664bbc423001
  c24b8b70d0f89791 c76c51a30654be30 d192e819d6ef5218 d69906245565a910 f40e35855771202a 106aa07032bbd1b8
  19a4c116b8d2d0c8 1e376c085141ab53 2748774cdf8eeb99 34b0bcb5e19b48a8 391c0cb3c5c95a63 4ed8aa4ae3418acb
  5b9cca4f7763e373 682e6ff3d6b2b8a3 748f82ee5defb2fc 78a5636f43172f60 84c87814a1f0ab72 8cc702081a6439ec
  90befffa23631e28 a4506cebde82bde9 bef9a3f7b2c67915 c67178f2e372532b ca273eceea26619c d186b8c721c0c207
  eada7dd6cde0eb1e f57d4f7fee6ed178 06f067aa72176fba 0a637dc5a2c898a6 113f9804bef90dae 1b710b35131c471b
  28db77f523047d84 32caab7b40c72493 3c9ebe0a15c9bebc 431d67c49c100d4c 4cc5d4becb3e42b6 597f299cfc657e2a
  5fcb6fab3ad6faec 6c44198c4a475817]]
local START = [[
  6a09e667f3bcc908 bb67ae8584caa73b 3c6ef372fe94f82b a54ff53a5f1d36f1
  510e527fade682d1 9b05688c2b3e6c1f 1f83d9abfb41bd6b 5be0cd19137e2179]]

-- Words are lists of numbers of 32 bits: one number for SHA-256, two for SHA-512.
local SHA256 = { width = 1, rounds = 64, mix = { { 7, 18, 3 }, { 17, 19, 10 } }, turn = { { 2, 13, 22 }, { 6, 11, 25 } } }
local SHA512 = { width = 2, rounds = 80, mix = { { 1, 8, 7 }, { 19, 61, 6 } }, turn = { { 28, 34, 39 }, { 14, 18, 41 } } }

for _, sha in ipairs({ SHA256, SHA512 }) do
  local function wordsOf(text)
    local words = {}
    for high, low in string.gmatch(text, "(%x%x%x%x%x%x%x%x)(%x%x%x%x%x%x%x%x)") do
      table.insert(words, { tonumber(high, 16), sha.width == 2 and tonumber(low, 16) or nil })
    end
    return words
  end
  sha.constants, sha.start = wordsOf(ROUNDS), wordsOf(START)
end

-- XOR[a][b] for numbers of 4 bits.
local XOR = { [0] = { [0] = 0 } }
for a = 0, 15 do
  XOR[a] = XOR[a] or {}
  for b = 0, 15 do XOR[a][b] = (a + b) % 2 + 2 * XOR[floor(a / 2)][floor(b / 2)] end
end

local function xor(a, b)
  local result, place = 0, 1
  while place < 2 ^ 32 do
    result = result + XOR[a % 16][b % 16] * place
    a, b, place = floor(a / 16), floor(b / 16), place * 16
  end
  return result
end

local function both(a, b) return (a + b - xor(a, b)) / 2 end

-- What stands at a place of a word that was turned right.
local function turned(word, place, bits)
  local from, by = place - floor(bits / 32) - 1, 2 ^ (bits % 32)
  local low, high = word[from % #word + 1], word[(from - 1) % #word + 1]
  return floor(low / by) + high % by * (2 ^ 32 / by)
end

-- Three turns of a word in one. The third one may be a shift.
local function stirred(word, bits, isShifted)
  local result = {}
  for place = 1, #word do
    local third = isShifted and place == 1 and floor(word[1] / 2 ^ bits[3]) or turned(word, place, bits[3])
    result[place] = xor(xor(turned(word, place, bits[1]), turned(word, place, bits[2])), third)
  end
  return result
end

local function sum(words)
  local result, carry = {}, 0
  for place = #words[1], 1, -1 do
    for _, word in ipairs(words) do carry = carry + word[place] end
    result[place], carry = carry % 2 ^ 32, floor(carry / 2 ^ 32)
  end
  return result
end

local function bytesOf(number, count)
  local bytes = ""
  for place = count - 1, 0, -1 do bytes = bytes .. string.char(floor(number / 256 ^ place) % 256) end
  return bytes
end

local function hash(sha, text)
  local width, block, length = sha.width, 64 * sha.width, bytesOf(#text * 8, 8 * sha.width)
  text = text .. "\128" .. string.rep("\0", (-#text - 1 - #length) % block) .. length

  local state = sha.start
  for start = 1, #text, block do
    local words = {}
    for i = 1, 16 * width do
      local a, b, c, d = string.byte(text, start + 4 * i - 4, start + 4 * i - 1)
      local at = floor((i - 1) / width) + 1
      words[at] = words[at] or {}
      table.insert(words[at], ((a * 256 + b) * 256 + c) * 256 + d)
    end
    for i = 17, sha.rounds do
      local older, newer = stirred(words[i - 15], sha.mix[1], true), stirred(words[i - 2], sha.mix[2], true)
      words[i] = sum({ words[i - 16], older, words[i - 7], newer })
    end

    local a, b, c, d, e, f, g, h = unpack(state)
    for i = 1, sha.rounds do
      local choice, majority = {}, {}
      for place = 1, width do
        choice[place] = both(e[place], f[place]) + both(2 ^ 32 - 1 - e[place], g[place])
        majority[place] = both(a[place], b[place]) + both(c[place], xor(a[place], b[place]))
      end
      local first = sum({ h, stirred(e, sha.turn[2]), choice, sha.constants[i], words[i] })
      local second = sum({ stirred(a, sha.turn[1]), majority })
      a, b, c, d, e, f, g, h = sum({ first, second }), a, b, c, sum({ d, first }), e, f, g
    end

    local before = state
    state = {}
    for i, word in ipairs({ a, b, c, d, e, f, g, h }) do state[i] = sum({ before[i], word }) end
  end

  local bytes = ""
  for _, word in ipairs(state) do bytes = bytes .. bytesOf(word[1], 4) .. (word[2] and bytesOf(word[2], 4) or "") end
  return bytes
end

-- Ed25519 (RFC 8032). A number is a list of 15 digits to the base 2^17, the
-- lowest first: 255 bits.
local DIGITS, BASE = 15, 2 ^ 17

-- The number in the lowest 255 bits of 32 bytes, and the highest bit.
local function numberOf(bytes)
  local number, rest, bits = {}, 0, 0
  for i = 1, 32 do
    rest, bits = rest + string.byte(bytes, i) * 2 ^ bits, bits + 8
    if bits >= 17 then
      table.insert(number, rest % BASE)
      rest, bits = floor(rest / BASE), bits - 17
    end
  end
  return number, rest
end

local function constant(hex)
  local bytes = string.gsub(hex, "%x%x", function(byte) return string.char(tonumber(byte, 16)) end)
  return (numberOf(string.reverse(bytes)))
end

local P = constant("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed")
local ORDER = constant("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed")
local TO_ROOT = constant("0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd") -- (P - 5) / 8
local D = constant("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3")
local ROOT = constant("2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0") -- of -1
local ZERO, ONE = constant(string.rep("0", 64)), constant(string.rep("0", 63) .. "1")

local function isBelow(a, b)
  for i = DIGITS, 1, -1 do
    if a[i] ~= b[i] then return a[i] < b[i] end
  end
  return false
end

local function plus(a, b, factor)
  local c = {}
  for i = 1, DIGITS do c[i] = a[i] + (factor or 1) * b[i] end
  return c
end
local function minus(a, b) return plus(a, b, -1) end

-- The same number with its digits in their bounds, and what comes above them.
local function carried(a)
  local c, carry = {}, 0
  for i = 1, DIGITS do
    c[i], carry = (a[i] + carry) % BASE, floor((a[i] + carry) / BASE)
  end
  return c, carry
end

-- The number from 0 to P - 1. What comes above 255 bits counts 19 times,
-- because 2^255 is P + 19.
local function settled(a)
  for _ = 1, 3 do
    local c, carry = carried(a)
    a, c[1] = c, c[1] + 19 * carry
  end
  return isBelow(a, P) and a or minus(a, P)
end
local function isEqual(a, b) return not isBelow(ZERO, settled(minus(a, b))) end

-- The product modulo P. Factors may be sums and differences of products: with
-- digits below 2^20 everything stays below 2^50, and exact.
local function times(a, b)
  local c, f, carry = {}, {}, 0
  for i = 1, DIGITS do f[i + 15], f[i] = b[i], 19 * b[i] end
  local a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15 = unpack(a)
  for i = 1, DIGITS do
    local digit = carry + a1 * f[i + 15] + a2 * f[i + 14] + a3 * f[i + 13] + a4 * f[i + 12] + a5 * f[i + 11]
      + a6 * f[i + 10] + a7 * f[i + 9] + a8 * f[i + 8] + a9 * f[i + 7] + a10 * f[i + 6]
      + a11 * f[i + 5] + a12 * f[i + 4] + a13 * f[i + 3] + a14 * f[i + 2] + a15 * f[i + 1]
    carry = floor(digit / BASE)
    c[i] = digit - carry * BASE
  end
  local first = c[1] + 19 * carry
  c[1], c[2] = first % BASE, c[2] + floor(first / BASE)
  return c
end

local function bitOf(number, i) return floor(number[floor(i / 17) + 1] / 2 ^ (i % 17)) % 2 end

-- A point is { X, Y, Z, T } with x = X/Z, y = Y/Z and x*y = T/Z.
local function pointAt(x, y) return { x, y, ONE, times(x, y) } end

-- The sum of two points, which may be the same point.
local function added(p, q)
  local a = times(minus(p[2], p[1]), minus(q[2], q[1]))
  local b = times(plus(p[2], p[1]), plus(q[2], q[1]))
  local c, d = times(times(p[4], q[4]), plus(D, D)), times(plus(p[3], p[3]), q[3])
  local e, f, g, h = minus(b, a), minus(d, c), plus(d, c), plus(b, a)
  return { times(e, f), times(g, h), times(f, g), times(e, h) }
end

-- The point of 32 bytes. Nil when there is none, or the bytes are not its own.
local function pointOf(bytes)
  local y, sign = numberOf(bytes)
  local u, v = minus(times(y, y), ONE), plus(times(D, times(y, y)), ONE)
  local uv3, root = times(times(u, v), times(v, v)), ONE
  local uv7 = times(uv3, times(times(v, v), times(v, v)))
  for i = 254, 0, -1 do
    root = times(root, root)
    if bitOf(TO_ROOT, i) == 1 then root = times(root, uv7) end
  end

  local x = times(uv3, root)
  if isEqual(times(v, times(x, x)), minus(ZERO, u)) then x = times(x, ROOT) end
  if settled(x)[1] % 2 ~= sign then x = minus(ZERO, x) end
  local isPoint = isBelow(y, P) and isEqual(times(v, times(x, x)), u) and settled(x)[1] % 2 == sign
  return isPoint and pointAt(x, y) or nil
end

local GENERATOR = pointOf("\88" .. string.rep("\102", 31))

-- The number of 64 bytes modulo the order of the generator.
local function reduced(bytes)
  local number = ZERO
  for i = 8 * #bytes - 1, 0, -1 do
    number = plus(number, number)
    number[1] = number[1] + floor(string.byte(bytes, floor(i / 8) + 1) / 2 ^ (i % 8)) % 2
    number = carried(number)
    if not isBelow(number, ORDER) then number = carried(minus(number, ORDER)) end
  end
  return number
end

local function isSigned(text, signature, publicKey)
  if #publicKey ~= 32 or #signature ~= 64 then return false end
  local signer, r = pointOf(publicKey), pointOf(string.sub(signature, 1, 32))
  local s, rest = numberOf(string.sub(signature, 33))
  if not signer or not r or rest ~= 0 or not isBelow(s, ORDER) then return false end
  local eightfold = signer
  for _ = 1, 3 do eightfold = added(eightfold, eightfold) end
  if isEqual(eightfold[1], ZERO) then return false end -- of small order

  -- R has to be s times the generator minus k times the signer's point.
  local k = reduced(hash(SHA512, string.sub(signature, 1, 32) .. publicKey .. text))
  local opposite, total = pointAt(minus(ZERO, signer[1]), signer[2]), pointAt(ZERO, ONE)
  local steps = { GENERATOR, opposite, added(GENERATOR, opposite) }
  for i = 252, 0, -1 do
    local step = steps[bitOf(s, i) + 2 * bitOf(k, i)]
    total = added(total, total)
    if step then total = added(total, step) end
  end
  return isEqual(total[1], times(r[1], total[3])) and isEqual(total[2], times(r[2], total[3]))
end

local LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

-- Base64url.
local function encode(bytes)
  return (string.gsub(bytes, "..?.?", function(group)
    local a, b, c = string.byte(group, 1, 3)
    local number, text = (a * 256 + (b or 0)) * 256 + (c or 0), ""
    for place = 3, 3 - #group, -1 do
      local letter = floor(number / 64 ^ place) % 64 + 1
      text = text .. string.sub(LETTERS, letter, letter)
    end
    return text
  end))
end

-- Nil for what is not base64url, and for other spellings of the same bytes.
local function decode(text)
  if string.find(text, "[^A-Za-z0-9_%-]") then return nil end
  local bytes = string.gsub(text, "..?.?.?", function(group)
    local number = 0
    for place = 1, 4 do
      number = number * 64 + (string.find(LETTERS, string.sub(group .. "AAA", place, place), 1, true) - 1)
    end
    return string.sub(bytesOf(number, 3), 1, #group - 1)
  end)
  return encode(bytes) == text and bytes or nil
end

local function isTime(value)
  return type(value) == "number" and value > -math.huge and value < math.huge
end

-- The entry of the public keys with this id; the first one, if there are more.
local function keyOf(jwks, kid)
  local list, found, at = type(jwks) == "table" and jwks.keys, nil, math.huge
  for index, jwk in pairs(type(list) == "table" and list or {}) do
    if isTime(index) and index < at and type(jwk) == "table" and jwk.kid == kid then found, at = jwk, index end
  end
  return found
end

-- The content of a compact JWS with a right signature, or nil and a code. It
-- accepts one algorithm, whatever the header asks for, and no unknown members.
local function contentOf(jws, kind, check)
  if type(jws) ~= "string" then return nil, "SIGNATURE" end
  local header, payload, signature = string.match(jws, "^([^.]*)%.([^.]*)%.([^.]*)$")
  local function read(part)
    local text = decode(part)
    local isRead, value = pcall(check.decode, text)
    return text and isRead and type(value) == "table" and value or {}
  end

  local head, members = header and read(header) or {}, 0
  for _ in pairs(head) do members = members + 1 end
  if members ~= 3 or head.alg ~= "EdDSA" or head.typ ~= kind or type(head.kid) ~= "string" then return nil, "SIGNATURE" end

  local jwk = keyOf(check.jwks, head.kid)
  if not jwk then return nil, "UNKNOWN_KID" end
  local isOurs = jwk.kty == "OKP" and jwk.crv == "Ed25519" and type(jwk.x) == "string"
  local publicKey, bytes = isOurs and decode(jwk.x), decode(signature)
  if not publicKey or not bytes or not isSigned(header .. "." .. payload, bytes, publicKey) then return nil, "SIGNATURE" end
  return read(payload)
end

-- The SHA-256 of a text, in base64url.
function VerifyKey.hash(text) return encode(hash(SHA256, text)) end

local function isFor(claims, hwid) return type(hwid) == "string" and claims.sub == VerifyKey.hash("ks1|" .. hwid) end

function VerifyKey.verifyKey(check)
  local claims, code = contentOf(check.key, "key+jws", check)
  if not claims then return { code = code } end
  local areTexts = type(claims.aud) == "string" and type(claims.sub) == "string"
  local areTimes = isTime(claims.iat) and isTime(claims.nbf) and isTime(claims.exp)
  if claims.v ~= 1 or not areTexts or not areTimes then return { code = "SIGNATURE" } end

  -- The signature is right, so the content of the key is true.
  local now, highWater = check.now, isTime(check.highWater) and check.highWater or 0
  local told = { code = "VALID", app = claims.aud, issuedAt = claims.iat, expiresAt = claims.exp }
  if claims.aud ~= (check.app or "main") then told.code = "APP_MISMATCH"
  -- The server leaves out what is around a device id, such as the line break of a file.
  elseif not isFor(claims, type(check.hwid) == "string" and check.hwid:match("^%s*(.-)%s*$")) then
    told.code = "DEVICE_MISMATCH"
  elseif not isTime(now) or now + CLOCK_SKEW < highWater then told.code = "CLOCK_BACK"
  elseif now + CLOCK_SKEW < claims.nbf then told.code = "NOT_YET"
  elseif now >= claims.exp then told.code = "EXPIRED"
  else told.highWater = math.max(highWater, claims.iat) end
  return told
end

-- Checks what the server signed about a key: { verdict, nonce, key, hwid, app,
-- jwks, decode }. The code is the server's if the verdict answers this very
-- question, else "UNTRUSTED".
function VerifyKey.verifyVerdict(check)
  local claims = contentOf(check.verdict, "verdict+jws", check)
  local isAnswer = claims and claims.v == 1
    and type(check.nonce) == "string" and claims.nonce == check.nonce
    and claims.aud == (check.app or "main") and isFor(claims, check.hwid)
    and type(check.key) == "string" and claims.key == VerifyKey.hash(check.key)
  if not isAnswer or type(claims.code) ~= "string" then return { code = "UNTRUSTED" } end
  -- No later than the key's end: a server with a wrong clock must not lock the app out.
  local highWater = isTime(claims.iat) and isTime(claims.exp) and math.min(claims.iat, claims.exp) or nil
  return { code = claims.code, expiresAt = claims.exp, issuedAt = claims.iat, highWater = highWater }
end

return VerifyKey
