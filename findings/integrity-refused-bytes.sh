#!/usr/bin/env bash
# One would guess: a script that was refused because its bytes do not fit its integrity is asked for anew by the
#   next tag, or at least by a reload of the page.
# What happens: the refused bytes stay in the HTTP cache. Where they may be kept (max-age, immutable) a new tag, a
#   reload, another page and fetch() all get them again without a request. fetch(url, { cache: 'reload' }) asks, and
#   heals the tag too; so does another address. With no-cache, or no header, the next tag heals.
# Why it matters: one truncated answer of a CDN for an immutable file takes the site away from that visitor, until the
#   file's lifetime ends. "Try again" buttons and chunk retries have to change the address or renew the cache.
# Versions: Chromium (156 when this was written).
# Source: https://w3c.github.io/webappsec-subresource-integrity/ checks after the fetch; Fetch, "main fetch", compares
#   integrity metadata above the HTTP cache.
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

const script = 'globalThis.ready = true;';
const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
let asked;
let cut;
let lifetime;
const server = createServer((request, response) => {
  if (!request.url.startsWith('/app.js')) return response.setHeader('content-type', 'text/html').end('<p></p>');
  asked += 1;
  if (lifetime) response.setHeader('cache-control', lifetime);
  response.setHeader('content-type', 'text/javascript').end(cut ? script.slice(0, 12) : script);
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const site = `http://127.0.0.1:${server.address().port}`;
function tell(name, seen, expected) {
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
const tag = (integrity) =>
  new Promise((resolve) => {
    const script = Object.assign(document.createElement('script'), { src: '/app.js', integrity, crossOrigin: 'anonymous' });
    script.onload = script.onerror = ({ type }) => resolve(type);
    document.head.append(script);
  });
const get = ({ integrity, cache }) => fetch('/app.js', { integrity, cache }).then(() => 'load', () => 'error');
async function play(name, expected) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(site);
  const seen = [];
  const note = async (what, outcome) => seen.push(`${what} ${await outcome} (${asked})`);
  asked = 0;
  cut = true;
  await note('tag', page.evaluate(tag, integrity));
  cut = false;
  await note('new tag', page.evaluate(tag, integrity));
  await page.reload();
  await note('after reload', page.evaluate(tag, integrity));
  await page.goto(`${site}/other`);
  await note('on another page', page.evaluate(tag, integrity));
  await note('fetch', page.evaluate(get, { integrity, cache: 'default' }));
  await note('fetch with reload', page.evaluate(get, { integrity, cache: 'reload' }));
  await note('tag after it', page.evaluate(tag, integrity));
  await context.close();
  tell(name, seen.join(', '), expected);
}
const kept = 'tag error (1), new tag error (1), after reload error (1), on another page error (1), fetch error (1), fetch with reload load (2), tag after it load (2)';
const asks = 'tag error (1), new tag load (2), after reload load (3), on another page load (4), fetch load (5), fetch with reload load (6), tag after it load (7)';
for (const [header, expected] of [['public, max-age=31536000, immutable', kept], ['max-age=60', kept], ['no-cache', asks], ['', asks]]) {
  lifetime = header;
  await play(`cache-control "${header}", outcome (requests so far)`, expected);
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
