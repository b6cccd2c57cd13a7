#!/usr/bin/env bash
# One would guess: the page of a Vite remote has its styles in any host, or in none, whatever `build.cssCodeSplit` says.
# What happens: with `cssCodeSplit: false` the one style sheet is named by index.html and by the manifest alone. A host that
#   loads the remote by its manifest shows the page styled, by its entry it shows it unstyled; nothing fails. With
#   `bundleAllCSS` of the federation plugin the entry loads it too, but then each expose brings the styles of all.
# Why it matters: the remote looks right for the team that tries the manifest, and is unstyled in hosts that name the entry.
#   Leave cssCodeSplit on in remotes.
# Versions: Vite 8.4.0, @module-federation/vite 1.23.8, @module-federation/runtime 2.9.3, Chromium.
# Source: https://vite.dev/config/build-options#build-csscodesplit; @module-federation/vite README, bundleAllCSS;
#   runtime-core's snapshot plugin loads what the manifest names under exposes[].assets.css.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund vite@8.4.0 @module-federation/vite@1.23.8 @module-federation/runtime@2.9.3 \
  esbuild@0.28.2 playwright-core@1.65.1

echo "import './page.css'; export const title = 'Prices';" > page.js
echo 'h1 { color: rgb(1, 2, 3); }' > page.css
echo "export const sum = (a, b) => a + b;" > plain.js
echo '<!doctype html>' > index.html
cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
const isStyled = () => (getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)' ? 'styled' : 'unstyled');
globalThis.show = async (entry) => {
  const host = createInstance({ name: 'host', remotes: [{ name: 'shop', type: 'module', entry }] });
  await host.loadRemote('shop/plain');
  const plain = isStyled();
  await host.loadRemote('shop/page');
  return `after ./plain ${plain}, after ./page ${isStyled()}`;
};
JS
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { federation } from '@module-federation/vite';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';
import { build } from 'vite';

for (const [folder, cssCodeSplit, bundleAllCSS] of [['split', true, false], ['whole', false, false], ['whole-all', false, true]]) {
  const exposes = { './page': './page.js', './plain': './plain.js' };
  const plugin = federation({ name: 'shop', filename: 'entry.js', manifest: true, dts: false, bundleAllCSS, exposes });
  await build({ configFile: false, logLevel: 'error', base: `/${folder}/`, plugins: [plugin], build: { outDir: folder, target: 'esnext', cssCodeSplit } });
}
const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
const types = { js: 'text/javascript', css: 'text/css', json: 'application/json' };
const server = createServer((request, response) => {
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end(`<h1>x</h1><script>${host}</script>`);
  if (!existsSync(`.${request.url}`)) return response.writeHead(404).end();
  response.setHeader('content-type', types[request.url.split('.').at(-1)]).end(readFileSync(`.${request.url}`));
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
const own = 'after ./plain unstyled, after ./page styled';
for (const [folder, file, expected] of [
  ['split', 'mf-manifest.json', own],
  ['split', 'entry.js', own],
  ['whole', 'mf-manifest.json', own],
  ['whole', 'entry.js', 'after ./plain unstyled, after ./page unstyled'],
  ['whole-all', 'entry.js', 'after ./plain styled, after ./page styled'],
]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  tell(`${folder}, ${file}`, await page.evaluate((entry) => show(entry), `/${folder}/${file}`), expected);
  await page.close();
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
