#!/usr/bin/env bash
# One would guess: a package shared through the federation whose chunk failed once is asked for again by the next
#   import() that needs it.
# What happens: never, in four builds of four: webpack's and Rspack's own plugin and those of the federation runtime. The
#   first failure stays for the life of the page, also with output.strictModuleExceptionHandling, which heals other
#   modules; Rspack's own plugin asks the server again and throws the first error all the same. Without that option the
#   second import() fulfils with an empty page. In the bare runtime loadShare() keeps the rejected promise: its `get` is
#   called once.
# Why it matters: one lost chunk of React takes each page of the host and of all remotes until a reload: reload, or make
#   what is shared `eager` in the host.
# Versions: webpack 5.113.0, Rspack 2.3.3, @module-federation/enhanced and runtime 2.9.3, Chromium.
# Source: @module-federation/runtime-core dist/shared/index.js, loadShare (setShared keeps `loading`, nothing resets it);
#   webpack lib/sharing/ConsumeSharedRuntimeModule.js (onError makes a module that throws).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 @module-federation/enhanced@2.9.3 \
  @module-federation/runtime@2.9.3 playwright-core@1.65.1

mkdir -p app/node_modules/money
echo '{ "name": "money", "version": "1.0.0", "main": "index.js" }' > app/node_modules/money/package.json
echo "export const currency = 'EUR';" > app/node_modules/money/index.js
echo '{ "name": "host", "private": true, "type": "module", "dependencies": { "money": "1.0.0" } }' > app/package.json
echo "import { currency } from 'money'; export const title = currency;" > app/page.js
echo "globalThis.load = () => import('./page.js');" > app/entry.js
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as ForRspack } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as ForWebpack } from '@module-federation/enhanced/webpack';
import { createInstance } from '@module-federation/runtime';
import { rspack } from '@rspack/core';
import { chromium } from 'playwright-core';
import webpack from 'webpack';

const compile = (bundler, folder, strict, plugin) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, publicPath: 'auto', strictModuleExceptionHandling: strict };
    bundler({ mode: 'production', context: `${process.cwd()}/app`, entry: './entry.js', output, plugins: [plugin] }).run((error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve());
  });
const more = { dts: false, manifest: false };
for (const [folder, bundler, Plugin, options] of [
  ['webpack', webpack, webpack.container.ModuleFederationPlugin, {}],
  ['webpack-enhanced', webpack, ForWebpack, more],
  ['rspack', rspack, rspack.container.ModuleFederationPluginV1, {}],
  ['rspack-enhanced', rspack, ForRspack, more],
])
  for (const strict of [false, true]) await compile(bundler, strict ? `${folder}-strict` : folder, strict, new Plugin({ name: 'host', shared: ['money'], ...options }));

let down;
let asked;
const server = createServer((request, response) => {
  if (request.url.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<script src="main.js"></script>');
  if (!request.url.endsWith('.js')) return response.writeHead(404).end();
  const script = readFileSync(`.${request.url}`, 'utf8');
  if (script.includes('EUR')) {
    asked += 1;
    if (down) return response.writeHead(503).end();
  }
  response.setHeader('content-type', 'text/javascript').end(script);
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
const attempt = () => load().then(({ title }) => `title ${title}`, ({ name }) => name);
const empty = 'ChunkLoadError, title undefined, title undefined';
const remembered = 'ChunkLoadError, ChunkLoadError, ChunkLoadError';
for (const [folder, expected] of Object.entries({
  webpack: `${empty}; asked 1×`,
  'webpack-strict': `${remembered}; asked 1×`,
  'webpack-enhanced': `${empty}; asked 1×`,
  'webpack-enhanced-strict': `${remembered}; asked 1×`,
  rspack: `${empty}; asked 2×`,
  'rspack-strict': `${remembered}; asked 2×`,
  'rspack-enhanced': `${empty}; asked 1×`,
  'rspack-enhanced-strict': `${remembered}; asked 1×`,
})) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
  asked = 0;
  const seen = [];
  for (const state of [true, false, false]) {
    down = state;
    seen.push(await page.evaluate(attempt));
  }
  await page.close();
  tell(`${folder}, down, then healed`, `${seen.join(', ')}; asked ${asked}×`, expected);
}
let calls = 0;
const get = async () => {
  calls += 1;
  if (calls === 1) throw new Error('down');
  return () => ({ currency: 'EUR' });
};
const host = createInstance({ name: 'host', remotes: [], shared: { money: { version: '1.0.0', get } } });
const tries = [];
for (let index = 0; index < 3; index += 1) tries.push(await host.loadShare('money').then((money) => money().currency, ({ message }) => message));
tell('loadShare, down, then healed', `${tries.join(', ')}; get called ${calls}×`, 'down, down, down; get called 1×');
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
