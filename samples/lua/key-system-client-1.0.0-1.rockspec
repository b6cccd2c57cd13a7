rockspec_format = "3.0"
package = "key-system-client"
version = "1.0.0-1"
-- Where the archive of this folder is. `luarocks make` does not need it.
source = { url = "https://example.com/key-system-client-1.0.0.tar.gz" }
description = {
  summary = "Waits for a key of the key system, and checks keys and the server's verdicts, in plain Lua",
  detailed = "Ed25519 and SHA-2 without libraries, integers of 64 bits or bit operators.",
  license = "proprietary",
}
dependencies = { "lua >= 5.1, < 5.5" }
build = {
  type = "builtin",
  modules = { ["key-client"] = "key-client.lua", ["verify-key"] = "verify-key.lua" },
}
