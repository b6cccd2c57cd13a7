#!/usr/bin/env bash
# One would guess: a remote that takes a package from its host (`import: false`) fails to load in a host that shares none,
#   or shares one outside of a requiredVersion with `strictVersion`, whichever builder made the remote.
# What happens: remotes of webpack and Rspack reject, each with other words. A remote of Vite fulfils: its page's code runs
#   with `undefined` in place of the package's exports, and fails later, at the first call, with a TypeError that names
#   neither the package nor the version. Without a share nothing is logged; for the version one error is in the console.
# Why it matters: a retry, a fallback or a canary that watches for a rejected loadRemote() sees a healthy remote. Test in
#   the page itself that the package is there, or let Vite remotes bring their own copy.
# Versions: Vite 8.4.0, @module-federation/vite 1.23.8, webpack 5.113.0, Rspack 2.3.3, enhanced and runtime 2.9.3, Chromium.
# Source: @module-federation/vite README, shared.import; webpack lib/sharing/ConsumeSharedRuntimeModule.js;
#   https://module-federation.io/guide/troubleshooting/runtime.html (RUNTIME-012).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "name": "shop", "version": "1.0.0", "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 vite@8.4.0 @module-federation/enhanced@2.9.3 \
  @module-federation/vite@1.23.8 @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1
mkdir node_modules/lib
echo '{ "name": "lib", "version": "1.0.0", "type": "module", "main": "index.js" }' > node_modules/lib/package.json
echo "export const version = '1.0.0';" > node_modules/lib/index.js
echo "import { version } from 'lib'; export const title = () => 'runs with lib ' + version;" > page.js
cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
const lib = { version: '1.0.0', lib: () => ({ version: '1.0.0' }), shareConfig: { singleton: true, requiredVersion: '^1.0.0' } };
globalThis.show = async (remote, isShared) => {
  const host = createInstance({ name: 'host', remotes: [remote], shared: isShared ? { lib } : {} });
  const page = await host.loadRemote('shop/page');
  return page.title();
};
JS
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as ForRspack } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as ForWebpack } from '@module-federation/enhanced/webpack';
import { federation } from '@module-federation/vite';
import { rspack } from '@rspack/core';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const shares = {
  any: { singleton: true, import: false, requiredVersion: false },
  strict: { singleton: true, import: false, requiredVersion: '^2.0.0', strictVersion: true },
};
for (const [share, lib] of Object.entries(shares)) {
  const shop = () => ({ name: 'shop', filename: 'entry.js', exposes: { './page': './page.js' }, shared: { lib }, dts: false });
  for (const [name, bundler, Plugin] of [['webpack', webpack, ForWebpack], ['rspack', rspack, ForRspack]])
    await new Promise((resolve, reject) => {
      const output = { path: `${process.cwd()}/${name}-${share}`, publicPath: 'auto', uniqueName: 'shop' };
      bundler({ mode: 'production', entry: {}, output, infrastructureLogging: { level: 'none' }, plugins: [new Plugin(shop())] }).run(
        (error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
    });
  const output = { outDir: `vite-${share}`, target: 'es2022', rolldownOptions: { input: 'page.js' } };
  await build({ configFile: false, base: './', logLevel: 'error', plugins: [federation(shop())], build: output });
}
const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
const server = createServer(({ url }, response) => {
  if (url === '/') return response.setHeader('content-type', 'text/html').end(`<script>${host}</script>`);
  if (!existsSync(`.${url}`)) return response.writeHead(404).end();
  response.setHeader('content-type', 'text/javascript').end(readFileSync(`.${url}`));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const fine = 'runs with lib 1.0.0';
const noGetter = 'rejects: The getter for the shared module is not a function';
const version = 'rejects: Version 1.0.0 from host of shared singleton module lib does not satisfy';
for (const [folder, isShared, expected] of [
  ['webpack-any', true, fine],
  ['rspack-any', true, fine],
  ['vite-any', true, fine],
  ['webpack-any', false, "rejects: Can not get 'lib'"],
  ['rspack-any', false, noGetter],
  ['vite-any', false, 'runs with lib undefined'],
  ['webpack-strict', true, version],
  ['rspack-strict', true, version],
  ['vite-strict', true, 'runs with lib undefined'],
]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const remote = { name: 'shop', type: folder.startsWith('vite') ? 'module' : 'global', entry: `http://127.0.0.1:${server.address().port}/${folder}/entry.js` };
  const full = await page.evaluate(([remote, isShared]) => show(remote, isShared).catch((error) => `rejects: ${error.message}`), [remote, isShared]);
  const seen = full.replace('[ Federation Runtime ]: ', '').slice(0, expected.length);
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${folder}, host ${isShared ? 'shares lib' : 'shares nothing'}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
