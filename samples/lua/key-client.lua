-- A client of the key system: it opens the page, waits for the key, and checks a
-- key. Lua 5.1 to 5.4, LuaJIT, Luau. No libraries: beside verify-key.lua it needs
-- functions of your executor and of the game, which you pass to it.
--
--   local HttpService = game:GetService("HttpService")
--   local client = KeyClient.new({
--     verifier = VerifyKey,    -- what verify-key.lua returns
--     site = "https://…",      -- without a slash at its end
--     app = "main",            -- or "companion", or a registered one; the server takes "main" without it
--     hwid = gethwid(),        -- 6 to 128 letters, digits, . : - _
--     zone = "…",              -- a token of your own, the same in every call
--     jwks = { keys = { … } }, -- the public keys, written into the script
--     highWater = stored,      -- the latest time of the server that you have stored
--     request = request,       -- or http_request, or http.request
--     decode = function(text) return HttpService:JSONDecode(text) end,
--     encode = function(value) return HttpService:JSONEncode(value) end,
--     random = function() return HttpService:GenerateGUID(false) end,
--     wait = task.wait,        -- takes seconds
--   })
--
--   local result = client:open(readKey(), openApp)  -- a key that you have stored
--   while result.code ~= "VALID" do
--     closeApp()             -- "open" opens at once, and may learn later that the key was withdrawn
--     storeKey(nil)
--     setclipboard(client:link())
--     local answer = client:waitForKey(nil, showWaiting)
--     if answer.status ~= "active" then return showAnswer(answer) end
--     storeKey(answer.key)
--     result = client:open(answer.key, openApp)
--   end
--   storeHighWater(client.highWater)

local KeyClient = {}
KeyClient.__index = KeyClient

-- The pages of the site's own apps. All others share one, whose address names
-- the app.
local PAGES = { main = "/key-system-1?", companion = "/rosaverx/key-system-1?" }

-- The pauses after calls that failed, in seconds. The last one repeats.
local PAUSES = { 5, 10, 20, 40, 60 }
local LONGEST_RETRY_AFTER = 300
-- For how many seconds the server may hold a call until there is news.
local HOLD = 25

-- An answer is never this long. A longer one is not ours.
local LONGEST_ANSWER = 65536

-- What is wrong with a request, so that waiting changes nothing.
local FINAL_CODES = { ["request.invalid"] = true, ["request.version"] = true, KS_HWID = true, KS_ZONE = true, KS_APP = true }

local MONTHS = {
  Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6,
  Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12,
}

-- What is raised when the server refuses a call, and waiting does not help: its
-- code, which /errors explains, and the detail.
local Refusal = {
  __tostring = function(refusal) return refusal.code .. ": " .. refusal.detail end,
}

local function isTime(value)
  return type(value) == "number" and value > -math.huge and value < math.huge
end

local function isKeyAnswer(answer, httpStatus)
  local status, reason = answer.status, answer.reason
  if httpStatus ~= (status == "blocked" and 403 or 200) then return false end
  if status == "active" then return type(answer.key) == "string" and isTime(answer.expiresAt) end
  if status == "in_progress" then return isTime(answer.step) and isTime(answer.of) end
  if status == "none" then return reason == nil or reason == "zone" end
  local kind = type(answer["until"])
  return status == "blocked" and type(reason) == "string" and kind ~= "string" and kind ~= "table"
end

local function isVerdict(answer, httpStatus)
  return httpStatus == 200 and type(answer.valid) == "boolean" and type(answer.code) == "string"
end

-- The seconds of a date in HTTP's form, or nil.
local function timeOf(date)
  local day, name, year, hour, minute, second = string.match(date, "(%d%d) (%a%a%a) (%d%d%d%d) (%d%d):(%d%d):(%d%d) GMT$")
  local month = MONTHS[name]
  if not month then return nil end
  -- Years begin in March here, so that a leap day is their last one.
  local years = month < 3 and year - 1 or year + 0
  local days = math.floor((153 * ((month + 9) % 12) + 2) / 5) + day
  days = days + 365 * years + math.floor(years / 4) - math.floor(years / 100) + math.floor(years / 400) - 719469
  return ((days * 24 + hour) * 60 + minute) * 60 + second
end

-- Executors write the names of headers in different cases.
local function named(headers)
  local found = {}
  for name, value in pairs(type(headers) == "table" and headers or {}) do
    found[string.lower(tostring(name))] = tostring(value)
  end
  return found
end

local function escape(text)
  return (string.gsub(text, "[^A-Za-z0-9%-%._~]", function(character)
    return string.format("%%%02X", string.byte(character))
  end))
end

function KeyClient.new(options)
  options.highWater = options.highWater or 0
  options.timeout = options.timeout or 10
  options.clock = options.clock or os.time
  return setmetatable(options, KeyClient)
end

-- The page to open in the visitor's browser.
function KeyClient:link()
  local page = PAGES[self.app] or ("/apps/key-system-1?app=" .. self.app .. "&")
  return self.site .. page .. self:_who()
end

-- Opens the app with a key, with or without a network. When the key is right,
-- onOpen is called at once; then the server is asked, which alone knows of
-- revoked keys. When the code of the result is not "VALID", the app has to ask
-- for a key, or to close again. Store highWater afterwards.
function KeyClient:open(key, onOpen)
  local offline = self.verifier.verifyKey(self:_question({ key = key, now = self.clock(), highWater = self.highWater }))
  if offline.code ~= "VALID" then return offline end

  self.highWater = offline.highWater
  if onOpen then onOpen() end
  local isAsked, online = pcall(self.checkOnline, self, key)
  local isTold = isAsked and online.code ~= "NO_ANSWER" and online.code ~= "UNTRUSTED"
  return isTold and online or offline
end

-- Asks for the key once. Nil when no answer of ours came.
function KeyClient:askForKey()
  return (self:_askForKey(0))
end

-- Asks for the key until the app has something to do, however long the network
-- or the server is away. "active": open the app. "blocked": wait until the given
-- time. "none" with the reason "zone": open the page again, because the key was
-- earned with another zone.
--
-- onWaiting(reason, seconds) says what it waits for: "network"; "server", a
-- server that works; "busy", a server with time for us; "answer", one of ours
-- (another server answers, for example the login page of a hotel, or this script
-- is too old); "steps", the steps of the visitor.
function KeyClient:waitForKey(onAnswer, onWaiting)
  local failures, hold = 0, 0
  while true do
    local answer, reason, seconds = self:_askForKey(hold)
    if answer then
      if onAnswer then onAnswer(answer) end
      local hasBegun = answer.status == "in_progress"
      local mayBegin = answer.status == "none" and not answer.reason
      if not (hasBegun or mayBegin) then return answer end
      failures, hold = 0, HOLD
    else
      failures = failures + 1
      seconds = seconds or self:_pauseAfter(failures)
    end
    if onWaiting then onWaiting(reason, seconds) end
    self.wait(seconds)
  end
end

-- Has the server check a key, once. The code is the server's only if the answer
-- is signed and answers this very question. Otherwise it is "NO_ANSWER" or
-- "UNTRUSTED".
function KeyClient:checkOnline(key)
  local nonce = self:_fresh()
  local body = self.encode({ key = key, hwid = self.hwid, app = self.app, nonce = nonce })
  local answer = self:_ask("POST", "/api/key/verify", isVerdict, body)
  if not answer then return { code = "NO_ANSWER" } end
  local checked = self.verifier.verifyVerdict(self:_question({ verdict = answer.verdict, nonce = nonce, key = key }))
  self.highWater = math.max(self.highWater, checked.highWater or 0)
  return checked
end

-- Fetches the public keys, to write them into the script.
function KeyClient:publicKeys()
  local response = self:_request("GET", "/.well-known/jwks.json") or {}
  if response.StatusCode ~= 200 then error("No public keys: " .. tostring(response.StatusCode), 0) end
  return self.decode(response.Body)
end

function KeyClient:_askForKey(hold)
  return self:_ask("GET", "/api/key?" .. self:_who() .. "&app=" .. self.app, isKeyAnswer, nil, hold)
end

-- An answer of ours or nil, what to wait for, and, if the server said so, for how
-- many seconds. It may hold the call until there is news.
function KeyClient:_ask(method, path, isOurs, body, hold)
  local response = self:_request(method, path, body, hold)
  local status = type(response) == "table" and tonumber(response.StatusCode) or 0
  if status < 100 then return nil, "network" end
  if status == 429 or status == 503 then return nil, "busy", self:_retryAfter(response.Headers) end
  if status >= 500 then return nil, "server", self:_retryAfter(response.Headers) end

  local text, isRead, answer = response.Body, false, nil
  if type(text) == "string" and #text <= LONGEST_ANSWER then isRead, answer = pcall(self.decode, text) end
  if not isRead or type(answer) ~= "table" then return nil, "answer" end
  local isProblem = type(answer.type) == "string" and type(answer.title) == "string"
  if status >= 400 and isProblem and FINAL_CODES[answer.code] then
    local detail = type(answer.detail) == "string" and answer.detail or answer.title
    error(setmetatable({ code = answer.code, detail = detail }, Refusal), 0)
  end

  local now = answer.now
  local isWhole = isOurs(answer, status) and type(answer.app) == "string" and isTime(now) and now > 0
  if not isWhole then return nil, "answer" end
  -- A server that has held the call has waited for us.
  return answer, "steps", named(response.Headers)["preference-applied"] and 0 or 5
end

-- Nil when nothing came in time. `request` runs in a thread of its own: in games
-- it yields until the answer is there, and may never return.
function KeyClient:_request(method, path, body, hold)
  hold = hold or 0
  local response
  local thread = coroutine.create(function()
    response = self.request({
      Url = self.site .. path,
      Method = method,
      Headers = { ["API-Version"] = "1", ["Content-Type"] = "application/json", Prefer = "wait=" .. hold },
      Body = body,
    })
  end)
  coroutine.resume(thread)
  for _ = 1, (self.timeout + hold) * 10 do
    if coroutine.status(thread) == "dead" then break end
    self.wait(0.1)
  end
  return response
end

-- The seconds of a Retry-After in digits, or as a date, which counts from the
-- answer's own.
function KeyClient:_retryAfter(headers)
  local found = named(headers)
  local value = found["retry-after"] or ""
  local digits, date = string.match(value, "^%d+$"), timeOf(value)
  if digits and #digits > 6 or not digits and not date then return nil end
  local seconds = digits and tonumber(digits) or date - (timeOf(found.date or "") or self.clock())
  return seconds > 0 and math.min(seconds, LONGEST_RETRY_AFTER) or nil
end

-- Up to a fifth is left to chance, so that not all scripts ask a server that
-- returns at the same moment.
function KeyClient:_pauseAfter(failures)
  local a, b = string.byte(self:_fresh(), 1, 2)
  return PAUSES[math.min(failures, #PAUSES)] * (1 + (a * 16 + b) % 100 / 500)
end

-- 43 characters that nobody has seen before.
function KeyClient:_fresh()
  local chance = self.random and self.random() or math.random()
  local parts = { self.last or self.hwid, chance, os.time(), os.clock(), tostring({}) }
  for i, part in ipairs(parts) do parts[i] = tostring(part) end
  self.last = self.verifier.hash(table.concat(parts, "|"))
  return self.verifier.hash("nonce|" .. self.last)
end

function KeyClient:_question(fields)
  fields.hwid, fields.app, fields.jwks, fields.decode = self.hwid, self.app, self.jwks, self.decode
  return fields
end

function KeyClient:_who()
  return "hwid=" .. escape(self.hwid) .. "&zone=" .. escape(self.zone)
end

return KeyClient
