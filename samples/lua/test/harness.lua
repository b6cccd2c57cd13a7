-- Runs key-client.lua for the tests: lua harness.lua <site> <app> <hwid> <zone>.
-- Lua has neither HTTP nor JSON, so the test that started this program sends the requests.

local folder = string.match(arg[0], "^(.*)/test/[^/]*$")
local KeyClient = dofile(folder .. "/key-client.lua")

local function tell(...)
  print(...)
  io.stdout:flush()
end

-- The request function of an executor.
local function request(options)
  tell("request " .. options.Method .. " " .. options.Url)
  tell(options.Body or "")
  local status, retryAfter = string.match(io.read("*l"), "^(%d+) (%d*)$")
  return { StatusCode = tonumber(status), Headers = { ["retry-after"] = retryAfter }, Body = io.read("*l") }
end

-- A simple JSON decoder for the flat answers of these calls. Their texts contain no quotes or brackets.
local function decode(text)
  local source = string.gsub(text, '"([%w_]+)":', '["%1"]=')
  return assert((loadstring or load)("local null = nil return " .. source))()
end

local function encode(fields)
  local parts = {}
  for name, value in pairs(fields) do
    table.insert(parts, string.format('"%s":"%s"', name, value))
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function wait(seconds)
  tell("wait " .. tostring(seconds))
  io.read("*l")
end

local client = KeyClient.new({
  site = arg[1],
  app = arg[2],
  hwid = arg[3],
  zone = arg[4],
  request = request,
  decode = decode,
  encode = encode,
  wait = wait,
})

tell("link " .. client:link())
local isFine, problem = pcall(function()
  local answer = client:waitForKey(function(a)
    tell("answer " .. a.status .. " " .. tostring(a.step or ""))
  end)
  if answer.status ~= "active" then return end
  tell("online " .. client:checkOnline(answer.key).code)
end)
if not isFine then tell("refused " .. (string.match(problem, "^[%w_.]+") or problem)) end
