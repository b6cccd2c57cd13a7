#!/usr/bin/env node
// Any Node can read this file, and say what it lacks.
var needed = 24;
var found = process.versions.node;
if (parseInt(found, 10) >= needed) import('./release.js');
else {
  console.error('Node ' + needed + ' or newer is needed; this is ' + found + '. Install it from https://nodejs.org.');
  process.exitCode = 1;
}
