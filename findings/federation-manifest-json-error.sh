#!/usr/bin/env bash
# One would guess: a manifest that was answered with an error is asked for again at the next loadRemote().
# What happens: yes, when the error's body is not JSON. A JSON body (problem+json, {"message": …}) is taken for
#   a manifest whatever the status is, found invalid (RUNTIME-013), and that rejection is kept for the life of
#   the page, for every host on the page: no request any more, also when the server has recovered.
#   registerRemotes(…, { force: true }) forgets it.
# Why it matters: an API gateway or CDN that answers 503 with JSON once takes the remote away until a reload.
#   Serve errors below a manifest's address as text or HTML, or give the runtime a `fetch` hook that
#   returns only responses that are ok.
# Versions: @module-federation/runtime 2.9.3, Chromium.
# Source: @module-federation/runtime-core dist/plugins/snapshot/SnapshotHandler.js: getManifestJson does not look
#   at response.ok, and deletes manifestLoading only when json() rejects.
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
const assets = { js: { sync: [], async: [] }, css: { sync: [], async: [] } };
let error;
let asked;
const server = createServer((request, response) => {
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end(`<script>${host}</script>`);
  if (request.url === '/entry.js')
    return response.setHeader('content-type', 'text/javascript').end("var shop = { init() {}, get: async () => () => ({ release: 'page' }) };");
  if (request.url !== '/mf-manifest.json') return response.writeHead(404).end();
  asked += 1;
  if (error) return response.writeHead(503, { 'content-type': error.type }).end(error.body);
  const metaData = { name: 'shop', globalName: 'shop', publicPath: 'auto', remoteEntry: { name: 'entry.js', path: '', type: 'global' }, buildInfo: { buildVersion: '1' } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: 'shop', name: 'shop', metaData, shared: [], remotes: [], exposes: [{ id: 'shop:page', name: 'page', path: './page', assets }] }));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const page = await browser.newPage();
async function play(type, body, expected) {
  asked = 0;
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  error = { type, body };
  const seen = [await page.evaluate(() => attempt((globalThis.first = createHost('first', '/mf-manifest.json'))))];
  error = undefined;
  seen.push(await page.evaluate(() => attempt(first)));
  seen.push(await page.evaluate(() => attempt(createHost('second', '/mf-manifest.json'))));
  seen.push(`asked ${asked}×`);
  seen.push(await page.evaluate(() => {
    first.registerRemotes([{ name: 'shop', entry: '/mf-manifest.json' }], { force: true });
    return attempt(first);
  }));
  const same = JSON.stringify(seen) === JSON.stringify(expected);
  console.log(`${same ? 'as said' : `CHANGED (${expected.join(', ')})`}  503 with ${type}, then healed: ${seen.join(', ')}`);
  if (!same) process.exitCode = 1;
}
await play('text/html', '<h1>Unavailable</h1>', ['RUNTIME-003', 'page', 'page', 'asked 2×', 'page']);
await play('application/problem+json', '{"status":503}', ['RUNTIME-013', 'RUNTIME-013', 'RUNTIME-013', 'asked 1×', 'page']);
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
