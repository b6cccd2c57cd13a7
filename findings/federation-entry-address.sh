#!/usr/bin/env bash
# One would guess: whether an entry is a manifest or a script is told by its file's ending, or by the content type of
#   the answer.
# What happens: by the letters `.json` anywhere in the address. A script in a folder `shop.json-ui`, at the host
#   `cdn.jsonville.example` or with the query `?from=old.json` is fetched and parsed as JSON (RUNTIME-003); a manifest at
#   `/api/manifest` is run as a script (RUNTIME-008), whatever its content type. `?v=2` behind the file is harmless, and
#   with `#.json` behind it a manifest of any name is read as one.
# Why it matters: a manifest behind an API, a signed address, or an unlucky name of a bucket fails with an error that
#   speaks of the network. The error says nothing of the address's letters.
# Versions: @module-federation/runtime 2.9.3, Chromium.
# Source: @module-federation/runtime-core dist/utils/tool.js, isPureRemoteEntry; plugins/snapshot/SnapshotHandler.js.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1
cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
globalThis.title = async (entry) => {
  const host = createInstance({ name: 'host', remotes: [{ name: 'shop', entry }] });
  return (await host.loadRemote('shop/page')).title;
};
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
const entry = "var shop = { init() {}, get: async () => () => ({ title: 'Prices' }) };";
const manifest = JSON.stringify({
  id: 'shop',
  name: 'shop',
  metaData: {
    name: 'shop',
    type: 'app',
    buildInfo: { buildVersion: '1.0.0', buildName: 'shop' },
    remoteEntry: { name: 'entry.js', path: '', type: 'global' },
    types: { path: '', name: '' },
    globalName: 'shop',
    pluginVersion: '2.9.3',
    publicPath: 'auto',
  },
  shared: [],
  remotes: [],
  exposes: [],
});
const server = createServer(({ url }, response) => {
  if (url === '/') return response.setHeader('content-type', 'text/html').end(`<script>${host}</script>`);
  const isScript = url.includes('entry.js');
  if (!isScript && !url.includes('manifest')) return response.writeHead(404).end();
  response.setHeader('access-control-allow-origin', '*').setHeader('content-type', isScript ? 'text/javascript' : 'application/json');
  response.end(isScript ? entry : manifest);
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: [
    ...'--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
    '--host-resolver-rules=MAP *.example 127.0.0.1',
  ],
});
console.log(`Chromium ${browser.version()}`);
const { port } = server.address();
const asManifest = 'Failed to get manifest. #RUNTIME-003';
for (const [address, expected] of [
  ['/shop/entry.js', 'Prices'],
  ['/shop.json-ui/entry.js', asManifest],
  ['/shop/entry.js?from=old.json', asManifest],
  [`http://cdn.jsonville.example:${port}/entry.js`, asManifest],
  ['/shop/mf-manifest.json', 'Prices'],
  ['/shop/mf-manifest.json?v=2', 'Prices'],
  ['/api/manifest', 'Failed to load script resources. #RUNTIME-008'],
  ['/api/manifest#.json', 'Prices'],
]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  const seen = await page.evaluate(
    (entry) => title(entry).catch((error) => /Failed to .* #RUNTIME-\d+/.exec(error.message)?.[0] ?? error.message),
    address.startsWith('/') ? `http://127.0.0.1:${port}${address}` : address,
  );
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${address}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
