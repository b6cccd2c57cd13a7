#!/usr/bin/env bash
# One would guess: `shared: { lib: {} }` takes the range of package.json; where that is `workspace:^`, `catalog:`, an alias
#   (`npm:other@^1.0.0`) or a tarball's address, all builders ask for no version in particular, or for the installed one.
# What happens: webpack asks for none, Vite for `^` and the installed version. Rspack takes the words themselves for a range
#   that no version satisfies: two units with the same lib, not called a singleton, each load a copy of their own, and
#   a singleton warns on every page. `github:org/lib#v1.0.0` is 1.0.0 exactly for webpack.
#   The manifest of enhanced on webpack says `^undefined` for all of them, also for a plain `^1.0.0`.
# Why it matters: a monorepo with pnpm or Yarn that moves from webpack to Rspack stops sharing without an error: state in
#   lib exists twice. Write requiredVersion, or version, into the configuration.
# Versions: webpack 5.113.0, Rspack 2.3.3, Vite 8.4.0, @module-federation/enhanced 2.9.3, @module-federation/vite 1.23.8.
# Source: webpack lib/sharing/utils.js, normalizeVersion; @module-federation/vite, how shared versions are read;
#   https://module-federation.io/configure/shared.html#requiredversion.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 vite@8.4.0 @module-federation/enhanced@2.9.3 \
  @module-federation/vite@1.23.8 @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1
cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
const lib = { version: '1.1.0', lib: () => ({ from: "the host's lib" }) };
globalThis.show = async (remote) => (await createInstance({ name: 'host', remotes: [remote], shared: { lib } }).loadRemote('shop/page')).from;
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
/** Builds a unit whose package.json names lib by this range, with each builder; returns what the manifest of webpack says. */
async function makeUnit(folder, range) {
  const context = `${here}/${folder}`;
  mkdirSync(`${context}/node_modules/lib`, { recursive: true });
  writeFileSync(`${context}/node_modules/lib/package.json`, '{ "name": "lib", "version": "1.1.0", "type": "module", "main": "index.js" }');
  writeFileSync(`${context}/node_modules/lib/index.js`, "export const from = 'a copy of its own';");
  writeFileSync(`${context}/package.json`, JSON.stringify({ name: 'shop', version: '1.0.0', type: 'module', dependencies: { lib: range } }));
  writeFileSync(`${context}/page.js`, "export { from } from 'lib';");
  const shop = () => ({ name: 'shop', filename: 'entry.js', exposes: { './page': './page.js' }, shared: { lib: {} }, dts: false, manifest: true });
  for (const [name, bundler, Plugin] of [['webpack', webpack, ForWebpack], ['rspack', rspack, ForRspack]])
    await new Promise((resolve, reject) => {
      const output = { path: `${context}/${name}`, publicPath: 'auto', uniqueName: 'shop' };
      bundler({ mode: 'production', context, entry: {}, output, infrastructureLogging: { level: 'none' }, plugins: [new Plugin(shop())] }).run(
        (error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
    });
  const output = { outDir: `${context}/vite`, target: 'es2022', rolldownOptions: { input: `${context}/page.js` } };
  await build({ configFile: false, root: context, base: './', logLevel: 'error', plugins: [federation(shop())], build: output });
  return JSON.parse(readFileSync(`${context}/webpack/mf-manifest.json`, 'utf8')).shared[0].requiredVersion;
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
const shared = "the host's lib";
const copy = 'a copy of its own';
for (const [index, [range, webpackHas, rspackHas, viteHas]] of [
  ['^1.0.0', shared, shared, shared],
  ['workspace:^', shared, copy, shared],
  ['catalog:', shared, copy, shared],
  ['npm:other@^1.0.0', shared, copy, shared],
  ['https://site.example/lib-1.1.0.tgz', shared, copy, shared],
  ['github:org/lib#v1.0.0', copy, copy, shared],
].entries()) {
  const inManifest = await makeUnit(`unit-${index}`, range);
  for (const [name, has] of Object.entries({ webpack: webpackHas, rspack: rspackHas, vite: viteHas })) {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const entry = `http://127.0.0.1:${server.address().port}/unit-${index}/${name}/entry.js`;
    const from = await page.evaluate((remote) => show(remote), { name: 'shop', type: name === 'vite' ? 'module' : 'global', entry });
    await page.close();
    const isWebpack = name === 'webpack';
    const expected = has + (isWebpack ? ', ^undefined in the manifest' : '');
    const seen = from + (isWebpack ? `, ${inManifest} in the manifest` : '');
    console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${range}, ${name}: ${seen}`);
    if (seen !== expected) process.exitCode = 1;
  }
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
