#!/usr/bin/env bash
# One would guess: two hosts on one page that name the same remote with different addresses (two releases of it) each
#   get theirs; and registerRemotes(…, { force: true }) with the address of release 2 gives release 2.
# What happens: release 2 is never shown, without a word. One after the other, the second host takes the container that
#   is already there and does not ask for its own entry. Both at once, or with `force`, release 2's entry is loaded, but
#   its chunks are looked up in the list of chunks that both releases share by their uniqueName (the package's or the
#   remote's name): what has the same id counts as loaded, so release 1's code runs. With a uniqueName of its own for
#   each release `force` and "both at once" give release 2; one after the other still gives release 1.
# Why it matters: canaries, pinned releases, and two widgets on one page show old code and report the new version.
#   Set output.uniqueName with the version, and a global name of its own for each release.
# Versions: webpack 5.113.0, Rspack 2.3.3, @module-federation/enhanced and runtime 2.9.3, Chromium.
# Source: @module-federation/runtime-core dist/utils/load.js, loadEntryScript (the global is looked up before the address);
#   https://webpack.js.org/configuration/output/#outputuniquename; webpack lib/web/JsonpChunkLoadingRuntimeModule.js.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 @module-federation/enhanced@2.9.3 \
  @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1

cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
const remotes = (folder, release) => [{ name: 'shop', entry: `/${folder}-${release}/entry.js` }];
globalThis.createHost = (name, folder, release) => createInstance({ name, remotes: remotes(folder, release) });
globalThis.registerAnew = (host, folder, release) => host.registerRemotes(remotes(folder, release), { force: true });
globalThis.title = async (host) => (await host.loadRemote('shop/page')).title;
JS
cat > run.mjs <<'JS'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as ForRspack } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as ForWebpack } from '@module-federation/enhanced/webpack';
import { rspack } from '@rspack/core';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';
import webpack from 'webpack';

for (const release of [1, 2]) {
  mkdirSync(`source-${release}`);
  writeFileSync(`source-${release}/page.js`, `export const title = 'release ${release}';`);
}
const compile = (bundler, Plugin, folder, release, uniqueName) =>
  new Promise((resolve, reject) => {
    bundler({
      mode: 'production',
      context: `${process.cwd()}/source-${release}`,
      entry: {},
      output: { path: `${process.cwd()}/${folder}-${release}`, publicPath: 'auto', uniqueName },
      plugins: [new Plugin({ name: 'shop', filename: 'entry.js', exposes: { './page': './page.js' }, dts: false, manifest: false })],
    }).run((error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
  });
for (const release of [1, 2]) {
  await compile(webpack, ForWebpack, 'webpack', release, 'shop');
  await compile(rspack, ForRspack, 'rspack', release, 'shop');
  await compile(webpack, ForWebpack, 'webpack-unique', release, `shop@${release}`);
  await compile(rspack, ForRspack, 'rspack-unique', release, `shop@${release}`);
}
const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
const server = createServer((request, response) => {
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end(`<script>${host}</script>`);
  if (!request.url.endsWith('.js')) return response.writeHead(404).end();
  response.setHeader('content-type', 'text/javascript').end(readFileSync(`.${request.url}`));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const ways = {
  'two hosts, one after the other': async (folder) => [await title(createHost('one', folder, 1)), await title(createHost('two', folder, 2))],
  'two hosts at once': (folder) => Promise.all([title(createHost('one', folder, 1)), title(createHost('two', folder, 2))]),
  'one host, registered anew with force': async (folder) => {
    const host = createHost('one', folder, 1);
    const first = await title(host);
    registerAnew(host, folder, 2);
    return [first, await title(host)];
  },
};
const first = 'release 1, release 1';
const both = 'release 1, release 2';
for (const [folder, ...expected] of [['webpack', first, first, first], ['rspack', first, first, first], ['webpack-unique', first, both, both], ['rspack-unique', first, both, both]])
  for (const [index, [name, run]] of Object.entries(ways).entries()) {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const seen = (await page.evaluate(run, folder)).join(', ');
    await page.close();
    console.log(`${seen === expected[index] ? 'as said' : `CHANGED (${expected[index]})`}  ${folder}, ${name}: ${seen}`);
    if (seen !== expected[index]) process.exitCode = 1;
  }
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
