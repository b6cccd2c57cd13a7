#!/usr/bin/env bash
# One would guess: with an import map that has the right "integrity" of a module, <link rel="modulepreload"> for it is
#   used as it is without the map; the map is where a module's hash is looked up.
# What happens: a modulepreload link in the HTML takes no hash from the map, so Chromium does not use what it loaded
#   ("not used due to an integrity mismatch") and asks for the module again: twice over the network, unless the HTTP
#   cache may keep it. The same link added by a script is used. With the hash repeated in the link's own attribute
#   the one in the HTML is used too.
# Why it matters: an import map made for integrity doubles the requests of a page that preloads, and fills the console.
#   Write integrity="…" into each modulepreload link as well.
# Versions: Chromium (156 when this was written).
# Source: HTML, link type "modulepreload" (takes the hash from the map where the attribute is missing); Chromium's
#   preload scanner, which most likely starts the links of the HTML before the map is there.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund playwright-core@1.65.1
cat > run.mjs <<'JS'
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';

const script = "export const title = 'Prices';";
const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
let html;
let asked;
let lifetime;
const server = createServer((request, response) => {
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end(html);
  if (request.url !== '/page.js') return response.writeHead(404).end();
  asked += 1;
  response.setHeader('cache-control', lifetime).setHeader('content-type', 'text/javascript').end(script);
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
function tell(name, seen, expected) {
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
async function importPage(preload) {
  if (preload) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/page.js' });
    document.head.append(link);
    await new Promise((resolve) => (link.onload = link.onerror = resolve));
  }
  return (await import('/page.js')).title;
}
async function play(name, markup, byScript, cacheControl, expected) {
  const context = await browser.newContext();
  const page = await context.newPage();
  let unused = false;
  page.on('console', (message) => (unused ||= message.text().includes('not used due to an integrity mismatch')));
  asked = 0;
  html = markup;
  lifetime = cacheControl;
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: 'networkidle' });
  const title = await page.evaluate(importPage, byScript);
  await context.close();
  tell(`${name}, ${cacheControl}`, `${title}, asked ${asked}×${unused ? ', preload not used' : ''}`, expected);
}
const map = `<script type="importmap">${JSON.stringify({ integrity: { '/page.js': integrity } })}</script>`;
const link = '<link rel="modulepreload" href="/page.js">';
await play('link', link, false, 'no-cache', 'Prices, asked 1×');
await play('map', map, false, 'no-cache', 'Prices, asked 1×');
await play('map and link', map + link, false, 'no-cache', 'Prices, asked 2×, preload not used');
await play('map and link', map + link, false, 'max-age=60', 'Prices, asked 1×, preload not used');
await play('map, link by a script', map, true, 'no-cache', 'Prices, asked 1×');
await play('map, link with its hash', map + link.replace('>', ` integrity="${integrity}">`), false, 'no-cache', 'Prices, asked 1×');
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
