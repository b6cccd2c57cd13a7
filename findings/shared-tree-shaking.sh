#!/usr/bin/env bash
# One would guess: `treeShaking: { mode: 'runtime-infer' }` of a shared package leaves out what nobody uses: the runtime knows
#   which exports each unit uses, and takes the whole package where a shaken copy lacks one.
# What happens: a unit gets another unit's shaken copy without the exports that it uses. With the runtime's own order of loading
#   the host does not start (“signIn is not a function”), because a remote that nobody has used yet brought its
#   copy; with shareStrategy 'loaded-first' the remote is the one that throws. Both builds succeed. With the mode
#   'server-calc' the page works.
# Why it matters: a singleton with state, a store for example, is what one shares, and its readers and writers are in different
#   units; a unit that was fine alone breaks the other's page. Leave `treeShaking` out, or take 'server-calc'.
# Versions: @module-federation/enhanced 2.9.3, Rspack 2.3.3, Chromium.
# Source: https://module-federation.io/configure/shared.html#treeshaking; @module-federation/runtime-core
#   dist/utils/share.js (the copies with treeShaking).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @rspack/core@2.3.3 @module-federation/enhanced@2.9.3 playwright-core@1.65.1
for unit in host shop; do
  mkdir -p "$unit/node_modules/store"
  echo "{ \"name\": \"$unit\", \"version\": \"1.0.0\", \"dependencies\": { \"store\": \"^1.0.0\" } }" > "$unit/package.json"
  echo '{ "name": "store", "version": "1.0.0", "type": "module", "main": "index.js", "sideEffects": false }' > "$unit/node_modules/store/package.json"
  cat > "$unit/node_modules/store/index.js" <<'JS'
let user = 'nobody';
export const signIn = (name) => (user = name);
export const current = () => user;
JS
done
echo "import { current } from 'store'; export const title = () => current();" > shop/page.js
echo "import('./start.js').catch((error) => (globalThis.shown = 'the host: ' + error.message));" > host/main.js
cat > host/start.js <<'JS'
import { signIn } from 'store';
signIn('Ada');
import('shop/page').then(({ title }) => (globalThis.shown = title())).catch((error) => (globalThis.shown = 'the remote: ' + error.message));
JS
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { rspack } from '@rspack/core';
import { chromium } from 'playwright-core';

const build = (context, folder, entry, options) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, publicPath: 'auto', filename: 'main.js', uniqueName: context };
    const plugins = [new ModuleFederationPlugin({ name: context, dts: false, manifest: true, ...options })];
    rspack({ mode: 'production', context: `${process.cwd()}/${context}`, entry, output, plugins, infrastructureLogging: { level: 'none' } }).run((error, stats) =>
      (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
  });
let folder;
const server = createServer(({ url }, response) => {
  if (url === '/') return response.setHeader('content-type', 'text/html').end('<script src="/host/main.js"></script>');
  const file = `${folder}${url}`;
  if (!existsSync(file)) return response.writeHead(404).end();
  response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
for (const [mode, shareStrategy, expected] of [
  [undefined, 'version-first', 'Ada'],
  ['runtime-infer', 'version-first', 'the host: signIn is not a function'],
  ['runtime-infer', 'loaded-first', 'the remote: current is not a function'],
  ['server-calc', 'version-first', 'Ada'],
]) {
  folder = `${mode}-${shareStrategy}`;
  const shared = { store: { singleton: true, requiredVersion: '^1.0.0', ...(mode && { treeShaking: { mode } }) } };
  await build('shop', `${folder}/shop`, {}, { filename: 'entry.js', exposes: { './page': './page.js' }, shared, shareStrategy });
  await build('host', `${folder}/host`, './main.js', { remotes: { shop: 'shop@/shop/entry.js' }, shared, shareStrategy });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction('globalThis.shown');
  const seen = (await page.evaluate(() => globalThis.shown)).replace(/\(0 ?, ?\w+(?:\(\.\.\.\))?\.(\w+)\)/, '$1');
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${mode ?? 'no treeShaking'}, ${shareStrategy}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
