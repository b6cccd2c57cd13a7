#!/usr/bin/env bash
# One would guess: an address such as /latest/mf-manifest.json that redirects to a release is resolved once, and the page
#   then has that release's files; publicPath 'auto' means "beside the file that was loaded".
# What happens: webpack and Rspack take the address before the redirect for the folder of every file, so each chunk is
#   redirected again. When the redirect moves to release 2 while a page is open, its lazy parts come from release 2: code
#   of two releases in one page without a word (or a 404, where names have hashes). A Vite remote stays with its release,
#   because modules resolve against the address after the redirect; but by the manifest it loads all modules twice, once
#   from each address, as the preloads use the one before it.
# Why it matters: "latest" by redirect is the plain way to publish remotes. Let the host look up the release's own address
#   first, or answer the manifest with an absolute publicPath.
# Versions: webpack 5.113.0, Rspack 2.3.3, Vite 8.4.0, @module-federation/vite 1.23.8, enhanced and runtime 2.9.3, Chromium.
# Source: https://webpack.js.org/guides/public-path/#automatic-publicpath (document.currentScript.src is the address asked
#   for); HTML, "fetch a single module script" (base URL is the response's); runtime-core dist/plugins/snapshot.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 vite@8.4.0 @module-federation/enhanced@2.9.3 \
  @module-federation/vite@1.23.8 @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1

cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
globalThis.open = async (remote) => (globalThis.page = await createInstance({ name: 'host', remotes: [remote] }).loadRemote('shop/page'));
JS
cat > run.mjs <<'JS'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as ForRspack } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as ForWebpack } from '@module-federation/enhanced/webpack';
import { federation } from '@module-federation/vite';
import { rspack } from '@rspack/core';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const here = process.cwd();
const shop = () => ({ name: 'shop', filename: 'entry.js', exposes: { './page': './page.js' }, dts: false, manifest: true });
for (const release of [1, 2]) {
  const context = `${here}/source-${release}`;
  mkdirSync(context);
  writeFileSync(`${context}/page.js`, `export const release = ${release};\nexport const more = () => import('./more.js');`);
  writeFileSync(`${context}/more.js`, `export const release = ${release};`);
  for (const [name, bundler, Plugin] of [['webpack', webpack, ForWebpack], ['rspack', rspack, ForRspack]])
    await new Promise((resolve, reject) => {
      const output = { path: `${here}/${release}/${name}`, publicPath: 'auto', uniqueName: 'shop' };
      bundler({ mode: 'production', context, entry: {}, output, infrastructureLogging: { level: 'none' }, plugins: [new Plugin(shop())] }).run(
        (error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
    });
  const output = { outDir: `${here}/${release}/vite`, target: 'es2022', rolldownOptions: { input: `${context}/page.js` } };
  await build({ configFile: false, root: context, base: './', logLevel: 'error', plugins: [federation(shop())], build: output });
}
const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
let latest;
let sent;
const server = createServer(({ url }, response) => {
  response.setHeader('access-control-allow-origin', '*');
  if (url === '/') return response.setHeader('content-type', 'text/html').end(`<script>${host}</script>`);
  if (url.startsWith('/latest/')) return response.writeHead(302, { location: url.replace('latest', latest), 'cache-control': 'no-store' }).end();
  if (!existsSync(`.${url}`)) return response.writeHead(404).end();
  sent.push(url);
  response.setHeader('cache-control', 'max-age=60').setHeader('content-type', url.endsWith('.json') ? 'application/json' : 'text/javascript');
  response.end(readFileSync(`.${url}`));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const { port } = server.address();
for (const [name, file, expected] of [
  ['webpack', 'mf-manifest.json', 'page of 1, lazy part of 2'],
  ['webpack', 'entry.js', 'page of 1, lazy part of 2'],
  ['rspack', 'mf-manifest.json', 'page of 1, lazy part of 2'],
  ['rspack', 'entry.js', 'page of 1, lazy part of 2'],
  ['vite', 'mf-manifest.json', 'page of 1, lazy part of 1, modules loaded from both addresses'],
  ['vite', 'entry.js', 'page of 1, lazy part of 1'],
]) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  latest = 1;
  sent = [];
  const entry = `http://localhost:${port}/latest/${name}/${file}`;
  const first = await page.evaluate(async (remote) => (await open(remote)).release, { name: 'shop', type: name === 'vite' ? 'module' : 'global', entry });
  latest = 2;
  const lazy = await page.evaluate(() => globalThis.page.more().then((more) => more.release, (error) => error.message));
  const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.replace('/latest/', '/1/')));
  const twice = name === 'vite' && asked.some((address, index) => address.includes('/assets/') && asked.indexOf(address) < index);
  const seen = `page of ${first}, lazy part of ${lazy}${twice ? ', modules loaded from both addresses' : ''}`;
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}, ${file}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
  await context.close();
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
