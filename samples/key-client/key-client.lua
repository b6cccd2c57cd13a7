--[[
What a script does with the key system: open its page, wait for the key, check
a key with the server. Lua 5.1 to 5.4, and Luau. It brings nothing along; hand
it what your executor and the game have:

  local HttpService = game:GetService("HttpService")
  local client = KeyClient.new({
    site = "https://…",  -- without a slash at its end
    app = "main",        -- or "companion"; the server takes "main" without it
    hwid = gethwid(),    -- 6 to 128 letters, digits, . : - _
    zone = "…",          -- a word of your own, the same each time you ask
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

-- Asks once.
function KeyClient:askForKey()
  return self:_ask("GET", "/api/key?" .. self:_who() .. "&app=" .. self.app)
end

-- Asks until there is something to do: "active" opens the app, "blocked" says
-- until when to wait, "none" with the reason "zone" needs the page opened
-- again, since the key was earned with another zone.
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

-- Whether a key is good for this app on this device, and was not withdrawn.
function KeyClient:checkOnline(key)
  local body = { key = key, hwid = self.hwid, app = self.app }
  return self:_ask("POST", "/api/key/verify", self.encode(body))
end

-- Gives the answer. A refusal is an error with its code; see /errors.
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

-- Executors differ in how they spell the names of headers.
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
