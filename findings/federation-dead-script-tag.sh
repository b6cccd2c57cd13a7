#!/usr/bin/env bash
# One would guess: a host whose HTML already holds a <script> of a remote's entry that could not be loaded
#   (the server was down for a moment) asks again when it calls loadRemote(); and that ids in the page's HTML
#   have nothing to do with remotes.
# What happens: the runtime finds the dead tag by its address, waits for events that have long been, and gives up
#   after 20 seconds without a request, though the server has recovered; the next call asks and heals. And an
#   element whose id is the remote's name is taken for its container (RUNTIME-002), without a request, for ever.
# Why it matters: scripts put into the HTML to be early cost 20 s when they fail: remove such a tag in its onerror,
#   or preload instead. A remote called "shop" and <section id="shop"> exclude each other.
# Versions: @module-federation/runtime 2.9.3, Chromium.
# Source: @module-federation/sdk dist/dom.js (createScript takes any script with this src, timeout 2e4);
#   runtime-core dist/global.js (getRemoteEntryExports reads globalThis[name]; HTML, "named access on the Window").
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1

cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
globalThis.createHost = (name, entry) => createInstance({ name, remotes: [{ name: 'shop', entry }] });
globalThis.attempt = (host) =>
  host.loadRemote('shop/page').then((page) => page.release, (error) => error.message.match(/RUNTIME-\d+/)?.[0] ?? error.message);
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
let down;
let asked;
const server = createServer((request, response) => {
  const entry = `http://${request.headers.host}/entry.js`;
  const pages = { '/tag': `<script src="${entry}"></script>`, '/id': '<section id="shop"></section>' };
  if (pages[request.url]) return response.setHeader('content-type', 'text/html').end(`${pages[request.url]}<script>${host}</script>`);
  if (request.url !== '/entry.js') return response.writeHead(404).end();
  asked += 1;
  if (down) return response.writeHead(503).end();
  response.setHeader('content-type', 'text/javascript').end("var shop = { init() {}, get: async () => () => ({ release: 'page' }) };");
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const page = await browser.newPage();
async function play(path, expected) {
  asked = 0;
  down = true;
  await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
  down = false;
  const seen = await page.evaluate(async () => {
    const host = createHost('host', '/entry.js');
    const start = performance.now();
    const first = await attempt(host);
    const seconds = Math.round((performance.now() - start) / 1000);
    document.querySelector('section')?.remove();
    return `${first} after ${seconds} s, then ${await attempt(host)}`;
  });
  const text = `${seen}; entry asked for ${asked}×`;
  console.log(`${text === expected ? 'as said' : `CHANGED (${expected})`}  ${path}: ${text}`);
  if (text !== expected) process.exitCode = 1;
}
await play('/tag', 'RUNTIME-008 after 20 s, then page; entry asked for 2×');
await play('/id', 'RUNTIME-002 after 0 s, then RUNTIME-002; entry asked for 0×');
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
