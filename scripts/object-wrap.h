// Compiled into better-sqlite3 before its own code; docs/decisions/059-node-24.md says why.
// From Node 24.19 on each wrapped object has a cleanup hook, and takes it back while garbage is collected, at which
// Node ends the process. Without hooks objects are collected as by every Node before.
#include <node.h>
#define AddEnvironmentCleanupHook(...) static_cast<void>(0)
#define RemoveEnvironmentCleanupHook(...) static_cast<void>(0)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
