#!/usr/bin/env bash
# One would guess: the `fallback` of Native Federation's loadRemoteModule() stands in when the remote's module cannot be
#   loaded; the code says so ("handles errors when the module import fails").
# What happens: it stands in for a remote or an exposed name that is unknown. When the module's file fails (503, or code
#   that throws) the promise rejects: the import is returned and not awaited in the try. A remote whose remoteEntry.json
#   failed at the start counts as unknown from then on, for the life of the page, also when it is back.
# Why it matters: a host that trusts in the fallback shows an error where a release is half there, or its server is down
#   after the start. Put .catch() behind the call.
# Versions: @softarc/native-federation-runtime 3.5.5, Chromium.
# Source: @softarc/native-federation-runtime fesm2022/softarc-native-federation-runtime.mjs, loadRemoteModule and
#   processRemoteInfos.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @softarc/native-federation-runtime@3.5.5 esbuild@0.28.2 playwright-core@1.65.1

cat > host.js <<'JS'
import { initFederation, loadRemoteModule } from '@softarc/native-federation-runtime';
const fallback = { title: 'the fallback' };
globalThis.start = () => initFederation({ shop: new URL('/shop/remoteEntry.json', location).href });
globalThis.load = (exposedModule) =>
  loadRemoteModule({ remoteName: 'shop', exposedModule, fallback }).then(({ title }) => title, () => 'rejects');
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
const json = (value) => ({ type: 'application/json', body: JSON.stringify(value) });
const script = (body) => ({ type: 'text/javascript', body });
const files = {
  '/': { type: 'text/html', body: `<script>${host}</script>` },
  '/remoteEntry.json': json({ name: 'host', exposes: [], shared: [] }),
  '/shop/remoteEntry.json': json({ name: 'shop', shared: [], exposes: [{ key: './page', outFileName: 'page.js' }, { key: './broken', outFileName: 'broken.js' }] }),
  '/shop/page.js': script("export const title = 'Prices';"),
  '/shop/broken.js': script("throw new Error('from the page');"),
};
let down;
const server = createServer((request, response) => {
  const file = files[request.url];
  if (!file) return response.writeHead(404).end();
  if (down && request.url.endsWith(down)) return response.writeHead(503).end('Unavailable');
  response.setHeader('content-type', file.type).end(file.body);
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
async function play(name, failing, exposed, expected) {
  const page = await browser.newPage();
  down = failing;
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(() => start());
  const first = await page.evaluate((name) => load(name), exposed);
  down = undefined;
  const second = await page.evaluate((name) => load(name), exposed);
  await page.close();
  tell(name, `${first}, healed: ${second}`, expected);
}
await play('all is well', undefined, './page', 'Prices, healed: Prices');
await play('an unknown name', undefined, './other', 'the fallback, healed: the fallback');
await play("the module's file is down", 'page.js', './page', 'rejects, healed: Prices');
await play("the module's code throws", undefined, './broken', 'rejects, healed: rejects');
await play('remoteEntry.json is down at the start', '/shop/remoteEntry.json', './page', 'the fallback, healed: the fallback');
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
