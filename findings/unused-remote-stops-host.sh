#!/usr/bin/env bash
# One would guess: a remote that is registered and not used yet cannot delay or break its host; and it is the same
#   whether the host names its entry or its manifest.
# What happens: by default (shareStrategy "version-first") the first shared package that the host itself imports waits for
#   every remote. An entry that answers 503 does no harm, one that hangs costs 20 s. A manifest that answers 503 fails the
#   host's own page, one that hangs keeps it away for ever: its fetch has no time-out. A Vite host waits for ever for an
#   entry that hangs, too (import() has none). With shareStrategy "loaded-first" the host starts at once in all cases.
# Why it matters: with the defaults each remote of another team is a single point of failure of the whole host, and the
#   manifest, which is the recommended way, makes it worse.
# Versions: @module-federation/enhanced 2.9.3 on webpack 5.113.0 and Rspack 2.3.3, @module-federation/vite 1.23.8 on
#   Vite 8.4.0, Chromium.
# Source: @module-federation/runtime-core dist/shared/index.js, initializeSharing (initRemoteModule awaits the snapshot
#   outside its try); https://module-federation.io/configure/sharestrategy.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "name": "host", "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 @module-federation/enhanced@2.9.3 \
  vite@8.4.0 @module-federation/vite@1.23.8 playwright-core@1.65.1

mkdir -p node_modules/money
echo '{ "name": "money", "version": "1.0.0", "type": "module", "main": "index.js" }' > node_modules/money/package.json
echo "export const currency = 'EUR';" > node_modules/money/index.js
echo "import { currency } from 'money'; export const title = currency;" > page.js
cat > host.js <<'JS'
globalThis.loadLater = () => import('shop/page');
import('./page.js').then(() => (globalThis.state = 'shows'), ({ message }) => (globalThis.state = message.match(/RUNTIME-\d+/)?.[0] ?? message));
JS
echo '<!doctype html><script type="module" src="./host.js"></script>' > index.html
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as ForRspack } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as ForWebpack } from '@module-federation/enhanced/webpack';
import { federation } from '@module-federation/vite';
import { rspack } from '@rspack/core';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

let hanging;
const server = createServer((request, response) => {
  if (request.url.startsWith('/remote/')) return hanging || response.writeHead(503).end('Unavailable');
  const file = `.${request.url.replace(/\/$/, '/index.html')}`;
  if (request.url.endsWith('/') && !existsSync(file)) return response.setHeader('content-type', 'text/html').end('<script src="main.js"></script>');
  if (!existsSync(file)) return response.writeHead(404).end();
  response.setHeader('content-type', file.endsWith('.html') ? 'text/html' : 'text/javascript').end(readFileSync(file));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const site = `http://127.0.0.1:${server.address().port}`;

const compile = (bundler, path, plugin) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${path}`, publicPath: 'auto' };
    bundler({ mode: 'production', entry: './host.js', output, plugins: [plugin] }).run((error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve());
  });
for (const [strategy, more] of [['default', {}], ['loaded-first', { shareStrategy: 'loaded-first' }]]) {
  const options = { name: 'host', shared: ['money'], dts: false, manifest: false, ...more };
  for (const file of ['entry.js', 'mf-manifest.json']) {
    const remotes = { shop: `shop@${site}/remote/${file}` };
    await compile(webpack, `webpack-${file}-${strategy}`, new ForWebpack({ ...options, remotes }));
    await compile(rspack, `rspack-${file}-${strategy}`, new ForRspack({ ...options, remotes }));
  }
  const plugin = federation({ ...options, filename: 'host-entry.js', remotes: { shop: { type: 'module', name: 'shop', entry: `${site}/remote/entry.js` } } });
  await build({ configFile: false, logLevel: 'error', base: './', plugins: [plugin], build: { outDir: `vite-entry.js-${strategy}`, target: 'esnext' } });
}
/** What the host's own page, which uses nothing of the remote, shows after a while. */
async function play(folder, how, expected) {
  const page = await browser.newPage();
  const start = Date.now();
  await page.goto(`${site}/${folder}/`, { waitUntil: 'commit' });
  await page.waitForFunction('globalThis.state', undefined, { timeout: 35_000 }).catch(() => undefined);
  const late = Date.now() - start > 15_000 ? ' after 20 s' : '';
  const state = await page.evaluate('globalThis.state');
  const seen = state ? `${state}${late}` : 'nothing after 35 s';
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${folder}, ${how}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
const folders = ['webpack', 'rspack'];
hanging = false;
for (const builder of folders) {
  await play(`${builder}-entry.js-default`, '503', 'shows');
  await play(`${builder}-mf-manifest.json-default`, '503', 'RUNTIME-003');
  await play(`${builder}-mf-manifest.json-loaded-first`, '503', 'shows');
}
hanging = true;
const hung = folders.flatMap((builder) => [
  play(`${builder}-entry.js-default`, 'hangs', 'shows after 20 s'),
  play(`${builder}-entry.js-loaded-first`, 'hangs', 'shows'),
  play(`${builder}-mf-manifest.json-default`, 'hangs', 'nothing after 35 s'),
  play(`${builder}-mf-manifest.json-loaded-first`, 'hangs', 'shows'),
]);
await Promise.all([...hung, play('vite-entry.js-default', 'hangs', 'nothing after 35 s'), play('vite-entry.js-loaded-first', 'hangs', 'shows')]);
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
