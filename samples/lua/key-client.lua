--[[
A client of the key system: it opens the page, waits for the key, and checks a
key with the server. Lua 5.1 to 5.4, and Luau. It needs no library. Pass it the
functions of your executor and of the game:

  local HttpService = game:GetService("HttpService")
  local client = KeyClient.new({
    site = "https://…",  -- without a slash at its end
    app = "main",        -- or "companion"; the server takes "main" without it
    hwid = gethwid(),    -- 6 to 128 letters, digits, . : - _
    zone = "…",          -- a token of your own, the same in every call
    request = request,   -- or http_request, or http.request
    decode = function(text) return HttpService:JSONDecode(text) end,
    encode = function(value) return HttpService:JSONEncode(value) end,
    wait = task.wait,    -- takes seconds
  })
  setclipboard(client:link())
  local answer = client:waitForKey()

Lua has no Ed25519, so a key is checked by the server: client:checkOnline(key).
]]

local KeyClient = {}
KeyClient.__index = KeyClient

local PAGES = { main = "/key-system-1", companion = "/rosaverx/key-system-1" }

function KeyClient.new(options)
  return setmetatable(options, KeyClient)
end

-- The page to open in the visitor's browser.
function KeyClient:link()
  return self.site .. PAGES[self.app] .. "?" .. self:_who()
end

-- Asks for the key once.
function KeyClient:askForKey()
  return self:_ask("GET", "/api/key?" .. self:_who() .. "&app=" .. self.app)
end

-- Asks for the key until the app has something to do. "active": open the app.
-- "blocked": wait until the given time. "none" with the reason "zone": open
-- the page again, because the key was earned with another zone.
function KeyClient:waitForKey(onAnswer)
  while true do
    local answer = self:askForKey()
    if onAnswer then onAnswer(answer) end
    local hasBegun = answer.status == "in_progress"
    local mayBegin = answer.status == "none" and not answer.reason
    if not (hasBegun or mayBegin) then return answer end
    self.wait(5)
  end
end

-- Has the server check a key for this app and device. Only the server knows
-- whether a key was revoked.
function KeyClient:checkOnline(key)
  local body = { key = key, hwid = self.hwid, app = self.app }
  return self:_ask("POST", "/api/key/verify", self.encode(body))
end

-- Returns the answer. When the server refuses a call, this throws an error
-- with the code; /errors explains each code.
function KeyClient:_ask(method, path, body)
  local response = self.request({
    Url = self.site .. path,
    Method = method,
    Headers = { ["API-Version"] = "1", ["Content-Type"] = "application/json" },
    Body = body,
  })
  if response.StatusCode == 429 or response.StatusCode == 503 then
    self.wait(self:_retryAfter(response.Headers))
    return self:_ask(method, path, body)
  end

  local answer = self.decode(response.Body)
  if answer.type then error(answer.code .. ": " .. answer.title, 0) end
  return answer
end

-- Executors write the names of headers in different cases.
function KeyClient:_retryAfter(headers)
  for name, value in pairs(headers or {}) do
    if string.lower(name) == "retry-after" then return tonumber(value) end
  end
  return 30
end

function KeyClient:_who()
  return "hwid=" .. self:_escape(self.hwid) .. "&zone=" .. self:_escape(self.zone)
end

function KeyClient:_escape(text)
  return (string.gsub(text, "[^%w%-%._~]", function(character)
    return string.format("%%%02X", string.byte(character))
  end))
end

return KeyClient
