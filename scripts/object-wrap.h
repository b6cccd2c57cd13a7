// Compiled into better-sqlite3 before its own code; docs/decisions/059-node-24.md says why.
// Node 24.19 and later let each wrapped object take its cleanup hook back when it is collected, and end the process
// where that happens between two callbacks. Without hooks objects are collected as on every Node before.
#include <node.h>
#define AddEnvironmentCleanupHook(...) static_cast<void>(0)
#define RemoveEnvironmentCleanupHook(...) static_cast<void>(0)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
