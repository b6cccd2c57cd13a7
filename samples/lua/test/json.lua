-- JSON for the harness, as strict as RFC 8259. Scripts have HttpService for it, other programs a library.

local Json = {}

local ESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- The bytes of a character in UTF-8. Halves of pairs are written as they are.
local function utf8Of(code)
  if code < 128 then return string.char(code) end
  if code < 2048 then return string.char(192 + math.floor(code / 64), 128 + code % 64) end
  return string.char(224 + math.floor(code / 4096), 128 + math.floor(code / 64) % 64, 128 + code % 64)
end

-- Decodes a text; null becomes the given value. Raises when the text is no JSON.
function Json.decode(text, null)
  local at = 1
  local value

  local function skip() at = string.find(text, "[^ \t\r\n]", at) or #text + 1 end

  local function take(pattern)
    local found = string.match(text, "^" .. pattern, at)
    if found then at = at + #found end
    return found
  end

  local function stringAt()
    local parts = {}
    while true do
      local plain = take('[^"\\%c]+')
      if plain then table.insert(parts, plain) end
      if take('"') then return table.concat(parts) end
      if not take("\\") then error("no JSON: a string") end
      local escape = take('["\\/bfnrt]')
      local code = not escape and take("u%x%x%x%x")
      if not escape and not code then error("no JSON: an escape") end
      table.insert(parts, escape and ESCAPES[escape] or utf8Of(tonumber(string.sub(code, 2), 16)))
    end
  end

  local function list(close, one)
    local result = {}
    skip()
    if take(close) then return result end
    repeat
      one(result)
      skip()
    until not take(",")
    if not take(close) then error("no JSON: an end") end
    return result
  end

  function value()
    skip()
    if take("{") then
      return list("}", function(result)
        skip()
        if not take('"') then error("no JSON: a name") end
        local name = stringAt()
        skip()
        if not take(":") then error("no JSON: a colon") end
        result[name] = value()
      end)
    end
    if take("%[") then
      local count = 0
      return list("%]", function(result)
        count = count + 1
        result[count] = value()
      end)
    end
    if take('"') then return stringAt() end
    if take("true") then return true end
    if take("false") then return false end
    if take("null") then return null end
    local number = take("%-?%d+%.?%d*[eE]?[+-]?%d*")
    return number and tonumber(number) or error("no JSON: a value")
  end

  local result = value()
  skip()
  return at > #text and result or error("no JSON: more than one value")
end

-- Encodes a table of texts.
function Json.encode(fields)
  local parts = {}
  for name, value in pairs(fields) do
    table.insert(parts, string.format('"%s":"%s"', name, (string.gsub(value, '[%c"\\]', ""))))
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

return Json
