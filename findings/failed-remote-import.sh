#!/usr/bin/env bash
# One would guess: a host's import('shop/page') that failed because the remote was down asks again at the
#   next call, and has the page once the remote is back.
# What happens: the second call fulfils with an empty module, and so does every later one, though the
#   remote is back. webpack's own plugin does not even ask for the entry again; the federation runtime's
#   plugin asks, gets the page and throws it away. `output.strictModuleExceptionHandling` heals it in
#   webpack with the runtime's plugin, and nowhere else. loadRemote('shop/page') of the runtime heals.
# Why it matters: hosts should load remotes by loadRemote(), or offer a reload of the document; an error
#   boundary's "try again" around React.lazy(() => import('shop/page')) shows an empty page or another error.
# Versions: webpack 5.113.0, Rspack 2.3.3, @module-federation/enhanced and runtime 2.9.3, Chromium.
# Source: webpack lib/container/RemoteRuntimeModule.js (onError makes a module that throws);
#   @module-federation/webpack-bundler-runtime dist/remotes.js.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 @module-federation/enhanced@2.9.3 \
  @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1

echo "export const title = 'Shop';" > page.js
echo "globalThis.load = () => import('shop/page');" > host.js
cat > runtime-host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
const host = createInstance({ name: 'host', remotes: [{ name: 'shop', entry: new URL('shop/entry.js', location).href }] });
globalThis.load = () => host.loadRemote('shop/page');
JS
cat > run.mjs <<'JS'
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as ForRspack } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as ForWebpack } from '@module-federation/enhanced/webpack';
import { rspack } from '@rspack/core';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import webpack from 'webpack';

let down = true;
let asked = 0;
const server = createServer(async (request, response) => {
  if (request.url.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<script src="main.js"></script>');
  if (request.url.endsWith('/entry.js')) {
    asked += 1;
    if (down) return response.writeHead(503).end();
  }
  const file = await readFile(`.${request.url}`).catch(() => undefined);
  response.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' }).end(file);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const site = `http://127.0.0.1:${server.address().port}`;

const compile = (bundler, entry, path, strict, plugin) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${path}`, publicPath: 'auto', uniqueName: path, strictModuleExceptionHandling: strict };
    bundler({ mode: 'production', entry: { main: entry }, output, plugins: [plugin], infrastructureLogging: { level: 'none' } }).run((error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve());
  });
const exposes = { './page': './page.js' };
const builders = { webpack: [webpack, webpack.container.ModuleFederationPlugin], 'webpack, enhanced': [webpack, ForWebpack], rspack: [rspack, rspack.container.ModuleFederationPluginV1], 'rspack, enhanced': [rspack, ForRspack] };
for (const [index, [bundler, Plugin]] of Object.values(builders).entries()) {
  const more = Plugin === ForWebpack || Plugin === ForRspack ? { dts: false, manifest: false } : {};
  const library = { type: 'var', name: 'shop' };
  await compile(bundler, './page.js', `shop-${index}`, false, new Plugin({ name: 'shop', library, filename: 'entry.js', exposes, ...more }));
  for (const strict of [false, true])
    await compile(bundler, './host.js', `host-${index}-${strict}`, strict, new Plugin({ name: 'host', remotes: { shop: `shop@${site}/shop-${index}/entry.js` }, ...more }));
}
await build({ entryPoints: ['runtime-host.js'], bundle: true, format: 'iife', outfile: 'runtime/main.js', logLevel: 'error' });
await import('node:fs').then(({ cpSync }) => cpSync('shop-1', 'runtime/shop', { recursive: true }));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
async function play(name, folder, expected) {
  const page = await browser.newPage();
  await page.goto(`${site}/${folder}/`);
  down = true;
  asked = 0;
  const seen = [];
  for (const state of [true, true, false, false]) {
    down = state;
    seen.push(await page.evaluate(() => load().then((shop) => `title ${shop.title}`, () => 'error')));
  }
  const text = `${seen.join(', ')}; entry asked for ${asked}×`;
  console.log(`${text === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${text}`);
  if (text !== expected) process.exitCode = 1;
}
const empty = 'error, title undefined, title undefined, title undefined; entry asked for';
const remembered = 'error, error, error, error; entry asked for';
const healed = 'error, error, title Shop, title Shop; entry asked for 3×';
await play('webpack', 'host-0-false', `${empty} 1×`);
await play('webpack, strict', 'host-0-true', `${remembered} 1×`);
await play('webpack, enhanced', 'host-1-false', `${empty} 3×`);
await play('webpack, enhanced, strict', 'host-1-true', healed);
await play('Rspack', 'host-2-false', `${empty} 1×`);
await play('Rspack, strict', 'host-2-true', `${remembered} 1×`);
await play('Rspack, enhanced', 'host-3-false', `${empty} 3×`);
await play('Rspack, enhanced, strict', 'host-3-true', `${remembered} 3×`);
await play('loadRemote', 'runtime', healed);
await browser.close();
server.close();
JS
node run.mjs
