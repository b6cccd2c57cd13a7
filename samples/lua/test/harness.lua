-- Runs key-client.lua and verify-key.lua for the tests, as test-protocol.md says: lua harness.lua verify, or client.

local folder = string.match(arg[0], "^(.*)/test/[^/]*$")
local Json = dofile(folder .. "/test/json.lua")
local KeyClient = dofile(folder .. "/key-client.lua")
local VerifyKey = dofile(folder .. "/verify-key.lua")

local function tell(...)
  print(table.concat({ ... }, " "))
  io.stdout:flush()
end

-- A number with as many places as it needs, alike in all versions.
local function numeral(number)
  return (string.gsub(string.gsub(string.format("%.3f", number), "0+$", ""), "%.$", ""))
end

local function verifyAll()
  local NULL = {}
  local vectors = Json.decode(io.read("*a"), NULL)
  local function clean(value)
    if value == NULL then return nil end
    if type(value) ~= "table" then return value end
    local result = {}
    for name, part in pairs(value) do result[name] = clean(part) end
    return result
  end

  local function run(vector, verify)
    local check = { decode = Json.decode }
    for _, fields in ipairs({ vectors.common, vector }) do
      for name, value in pairs(fields) do check[name] = clean(value) end
    end
    for name, value in pairs(vector) do
      if value == NULL then check[name] = nil end
    end
    local isFine, result = pcall(verify, check)
    local highWater = isFine and verify == VerifyKey.verifyVerdict and result.highWater
    tell(isFine and result.code or "raised " .. tostring(result), highWater and numeral(highWater) or nil)
  end

  for _, vector in ipairs(vectors.vectors) do run(vector, VerifyKey.verifyKey) end
  for _, vector in ipairs(vectors.verdicts) do run(vector, VerifyKey.verifyVerdict) end
end

-- The request function of an executor. The test sends the requests.
local function request(timeout, options)
  local prefer = options.Headers.Prefer
  tell("request", timeout + string.match(prefer, "%d+"), options.Method, options.Url, prefer)
  tell(options.Body or "")
  local first = io.read("*l")
  if first == "timeout" then coroutine.yield() end
  if first == "error" then error("no answer", 0) end

  local status, length = string.match(first, "^(%d+) (%d+)$")
  local headers = {}
  for line in function() return io.read("*l") end do
    if line == "" then break end
    local name, value = string.match(line, "^([^:]*): (.*)$")
    headers[name] = value
  end
  local body = length == "0" and "" or io.read(tonumber(length))
  io.read("*l")
  return { StatusCode = tonumber(status), Headers = headers, Body = body }
end

local function wait(seconds)
  if seconds < 1 then return end -- until an answer has come
  tell("wait", numeral(seconds))
  io.read("*l")
end

local function play(round)
  local f = {}
  for field in string.gmatch(round, "[^ ]+") do table.insert(f, field) end
  local function clock() return os.time() + tonumber(f[6]) end
  local client = KeyClient.new({
    verifier = VerifyKey,
    site = f[1], app = f[2], hwid = f[3], zone = f[4],
    timeout = tonumber(f[5]), clock = clock, highWater = tonumber(f[7]),
    request = function(options) return request(f[5], options) end,
    decode = Json.decode, encode = Json.encode, wait = wait,
  })
  client.jwks = f[9] == "-" and client:publicKeys() or Json.decode(f[9])

  tell("link", client:link())
  if f[8] ~= "-" then
    local code = client:open(f[8], function() tell("opened") end).code
    tell("open", code)
    if code == "VALID" then return tell("high water", numeral(client.highWater)) end
  end

  local answer = client:waitForKey(function(heard)
    tell("answer", heard.status, heard.step and numeral(heard.step) or "")
  end, function(reason, seconds)
    tell("waiting", reason, numeral(seconds))
  end)
  if answer.status == "active" then
    local function check(hwid)
      return VerifyKey.verifyKey({
        key = answer.key, hwid = hwid, app = f[2], jwks = client.jwks,
        now = clock(), highWater = client.highWater, decode = Json.decode,
      }).code
    end
    tell("offline", check(f[3]))
    tell("offline elsewhere", check("another-device"))
    tell("online", client:checkOnline(answer.key).code)
  end
  tell("high water", numeral(client.highWater))
end

local function playAll()
  local line = io.read("*l")
  while line and line ~= "" do
    local isFine, problem = pcall(play, line)
    if not isFine then
      local code = type(problem) == "table" and problem.code
      tell(code and "refused " .. code or "raised " .. tostring(problem))
    end
    tell("done")
    line = io.read("*l")
  end
end

if arg[1] == "verify" then verifyAll() else playAll() end
