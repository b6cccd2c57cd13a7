#!/usr/bin/env bash
# One would guess: Vite's `build.chunkImportMap` (8.x: a changed chunk does not rename the chunks that import it) suits
#   every build, and a federation remote most of all, since its host keeps fewer files.
# What happens: the chunks import names that exist in the import map alone, and the map is written into Vite's own
#   index.html alone. A remote's entry, loaded by a host's page, asks for files that are not there (404), with a
#   manifest and without, and the build says nothing. The same for a page whose server writes the tags itself from
#   .vite/manifest.json: the entry runs, each import() fails, until importmap.json is put into the page above it.
# Why it matters: the option is for sites of one document. Refuse it in remotes; with a backend, write the map.
# Versions: Vite 8.4.0, @module-federation/vite 1.23.8, @module-federation/runtime 2.9.3, Chromium.
# Source: vite dist/node/chunks/node.js (getImportMapFilename: only HTML that Vite transforms gets the map); for pages of
#   a backend https://github.com/laravel/framework/pull/60874.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund vite@8.4.0 @module-federation/vite@1.23.8 @module-federation/runtime@2.9.3 \
  esbuild@0.28.2 playwright-core@1.65.1

echo "export const title = 'Prices';" > page.js
echo "export const load = () => import('./page.js');" > expose.js
echo "import('./expose.js').then(({ load }) => (globalThis.load = load));" > entry.js
echo '<!doctype html><script type="module" src="./entry.js"></script>' > index.html
cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
globalThis.loadFrom = (entry) => createInstance({ name: 'host', remotes: [{ name: 'shop', type: 'module', entry }] }).loadRemote('shop/page');
JS
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { federation } from '@module-federation/vite';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const warnings = [];
const customLogger = { info() {}, warn: (text) => warnings.push(text), warnOnce: (text) => warnings.push(text), error: console.error, clearScreen() {}, hasErrorLogged: () => false };
for (const chunkImportMap of [false, true]) {
  const name = chunkImportMap ? 'map' : 'plain';
  const options = (outDir, input) => ({ outDir, manifest: true, target: 'esnext', chunkImportMap, rollupOptions: { input } });
  const plugin = federation({ name: 'shop', filename: 'remote-entry.js', manifest: true, dts: false, exposes: { './page': './expose.js' } });
  await build({ configFile: false, logLevel: 'warn', customLogger, base: `/${name}-remote/`, plugins: [plugin], build: options(`${name}-remote`) });
  await build({ configFile: false, logLevel: 'warn', customLogger, base: `/${name}-app/`, build: options(`${name}-app`, 'entry.js') });
}
const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
/** As a backend does it: the address of the script is looked up in the manifest. */
function backendPage(folder, withMap) {
  const { file } = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'))['entry.js'];
  const map = withMap ? `<script type="importmap">${readFileSync(`${folder}/importmap.json`, 'utf8')}</script>` : '';
  return `${map}<script type="module" src="/${folder}/${file}"></script>`;
}
const pages = { '/host': `<script>${host}</script>`, '/plain': backendPage('plain-app'), '/map': backendPage('map-app'), '/map-written': backendPage('map-app', true) };
let missing = 0;
const server = createServer((request, response) => {
  const file = `.${request.url}`;
  if (pages[request.url]) return response.setHeader('content-type', 'text/html').end(pages[request.url]);
  if (!existsSync(file)) {
    if (file.endsWith('.js')) missing += 1;
    return response.writeHead(404).end();
  }
  response.setHeader('content-type', file.endsWith('.json') ? 'application/json' : 'text/javascript').end(readFileSync(file));
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
tell('warnings of the builds', String(warnings.length), '0');
async function play(name, path, argument, load, expected) {
  const page = await browser.newPage();
  missing = 0;
  await page.goto(`http://127.0.0.1:${server.address().port}${path}`, { waitUntil: 'networkidle' });
  const outcome = await page.evaluate(load, argument).catch(() => 'fails');
  await page.close();
  tell(name, `${outcome}, ${missing > 0 ? 'asks for files that are not there' : 'asks for files that are there'}`, expected);
}
const fromRemote = async (entry) => (await (await loadFrom(entry)).load()).title;
const fromPage = async () => (await load()).title;
const good = 'Prices, asks for files that are there';
const bad = 'fails, asks for files that are not there';
await play('remote', '/host', '/plain-remote/remote-entry.js', fromRemote, good);
await play('remote, chunkImportMap', '/host', '/map-remote/remote-entry.js', fromRemote, bad);
await play('remote by manifest, chunkImportMap', '/host', '/map-remote/mf-manifest.json', fromRemote, bad);
await play("backend's page", '/plain', undefined, fromPage, good);
await play("backend's page, chunkImportMap", '/map', undefined, fromPage, bad);
await play("backend's page, chunkImportMap, importmap.json written into it", '/map-written', undefined, fromPage, good);
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
