-- `keys.lua <our sample>` does for lua-cjson, as the JSON of our sample, what
-- keys.mjs does for libraries of npm.
local cjson = require("cjson")
local VerifyKey = dofile(arg[1])

local told = {}
for _, one in ipairs(cjson.decode(io.read("*a"))) do
  one.decode = cjson.decode
  local result = VerifyKey.verifyKey(one)
  table.insert(told, result.code == "VALID" and "ok " .. tostring(result.expiresAt) or result.code)
end
print(cjson.encode(told))
