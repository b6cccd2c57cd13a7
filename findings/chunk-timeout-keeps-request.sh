#!/usr/bin/env bash
# One would guess: a chunk that did not come within output.chunkLoadTimeout is asked for again by the next import(),
#   and comes once the server answers again: the build has removed the <script>.
# What happens: Chromium does not end the request of a removed script, and a new script with the same address joins it.
#   So the next import() sends nothing and times out again, however well the server is, until the old request ends; a
#   reload ends it. It is the same with crossOriginLoading, with no-store, and in webpack and Rspack. Another address
#   (a query) is asked for and heals at once.
# Why it matters: retries after a time-out need another address, or they wait for a connection that is dead.
# Versions: webpack 5.113.0, Rspack 2.3.3, Chromium.
# Source: webpack lib/runtime/LoadScriptRuntimeModule.js (onScriptComplete removes the tag); HTML, "prepare the script
#   element": removal does not stop a fetch.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 playwright-core@1.65.1

echo "export const title = 'Prices';" > page.js
cat > entry.js <<'JS'
const name = __webpack_get_script_filename__;
__webpack_get_script_filename__ = (id) => name(id) + (globalThis.query ?? '');
globalThis.load = () => import('./page.js');
JS
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { rspack } from '@rspack/core';
import { chromium } from 'playwright-core';
import webpack from 'webpack';

const compile = (bundler, folder, more) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, chunkFilename: 'page.js', publicPath: 'auto', chunkLoadTimeout: 1000, ...more };
    bundler({ mode: 'production', entry: './entry.js', output }).run((error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve());
  });
await compile(webpack, 'webpack', {});
await compile(webpack, 'webpack-cors', { crossOriginLoading: 'anonymous' });
await compile(rspack, 'rspack', {});

let asked;
let hanging;
const server = createServer((request, response) => {
  const [path] = request.url.split('?');
  if (path.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<script src="main.js"></script>');
  if (path.endsWith('/page.js')) {
    asked += 1;
    if (hanging) return;
  }
  if (!path.endsWith('.js')) return response.writeHead(404).end();
  response.setHeader('cache-control', 'no-store').setHeader('content-type', 'text/javascript').end(readFileSync(`.${path}`));
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
const attempt = () => load().then(({ title }) => title, ({ type }) => type);
for (const folder of ['webpack', 'webpack-cors', 'rspack']) {
  const page = await browser.newPage();
  const open = () => page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
  await open();
  const seen = [];
  const note = async (what) => seen.push(`${what} ${await page.evaluate(attempt)} (${asked})`);
  asked = 0;
  hanging = true;
  await note('hanging:');
  hanging = false;
  await note('healed:');
  await note('once more:');
  await page.evaluate(() => (globalThis.query = '?retry=1'));
  await note('another address:');
  await open();
  await note('after a reload:');
  await page.close();
  const expected = 'hanging: timeout (1), healed: timeout (1), once more: timeout (1), another address: Prices (2), after a reload: Prices (3)';
  tell(`${folder}, outcome (requests so far)`, seen.join(', '), expected);
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
