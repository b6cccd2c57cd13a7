#!/usr/bin/env bash
# One would guess: a lazy page whose code threw once throws again at the next import(), in every build.
# What happens: with webpack and Rspack the second import() fulfils with a half-filled module, so the
#   visitor's second try ends in another error than the first. webpack leaves function declarations
#   callable and constants undefined; Rspack leaves nothing. `output.strictModuleExceptionHandling`
#   changes both, and not alike: webpack then runs the module again (a cause that has gone heals), Rspack
#   throws the first error for the page's life, as browsers do with real modules (Vite).
# Why it matters: "try again" without a reload shows a message that hides the cause, or never heals.
# Versions: webpack 5.113.0, Rspack 2.3.3, Vite 8.4.0 (Rolldown), Chromium.
# Source: webpack lib/javascript/JavascriptModulesPlugin.js (strictModuleExceptionHandling);
#   https://rspack.rs/config/output#outputstrictmoduleexceptionhandling; HTML, "import() and evaluation errors".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 vite@8.4.0 playwright-core@1.65.1

cat > entry.js <<'JS'
globalThis.load = () => import('./page.js');
JS
cat > page.js <<'JS'
globalThis.runs = (globalThis.runs ?? 0) + 1;
if (!globalThis.settings) throw new Error('no settings yet');
export const title = 'Prices';
export function render() {
  return title;
}
JS
cat > run.mjs <<'JS'
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { rspack } from '@rspack/core';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const compile = (bundler, folder, strict) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, filename: 'entry.js', publicPath: 'auto', strictModuleExceptionHandling: strict };
    bundler({ mode: 'production', entry: './entry.js', output }).run((error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve());
  });
await compile(webpack, 'webpack', false);
await compile(webpack, 'webpack-strict', true);
await compile(rspack, 'rspack', false);
await compile(rspack, 'rspack-strict', true);
await build({ logLevel: 'error', build: { outDir: 'vite', rollupOptions: { input: 'entry.js', output: { entryFileNames: 'entry.js' } } } });

const server = createServer(async (request, response) => {
  if (request.url.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<script type="module" src="entry.js"></script>');
  const file = await readFile(`.${request.url}`).catch(() => undefined);
  response.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' }).end(file);
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
/** Two tries while the cause is there, a third one when it has gone. */
async function threeTries() {
  const tries = [];
  for (const settings of [false, false, true]) {
    globalThis.settings = settings;
    tries.push(await load().then(
      (page) => `fulfils: title ${page.title}, render ${typeof page.render}`,
      (error) => `rejects: ${error.message}`,
    ));
  }
  return [...tries, `runs: ${runs}`];
}
const first = 'rejects: no settings yet';
const expected = {
  webpack: [first, 'fulfils: title undefined, render function', 'fulfils: title undefined, render function', 'runs: 1'],
  'webpack-strict': [first, first, 'fulfils: title Prices, render function', 'runs: 3'],
  rspack: [first, 'fulfils: title undefined, render undefined', 'fulfils: title undefined, render undefined', 'runs: 1'],
  'rspack-strict': [first, first, first, 'runs: 1'],
  vite: [first, first, first, 'runs: 1'],
};
console.log(`Chromium ${browser.version()}`);
for (const [folder, tries] of Object.entries(expected)) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
  await page.waitForFunction('globalThis.load');
  const seen = await page.evaluate(threeTries);
  const same = JSON.stringify(seen) === JSON.stringify(tries);
  console.log(`${same ? 'as said' : 'CHANGED'}  ${folder}: ${seen.join(' | ')}`);
  if (!same) process.exitCode = 1;
}
await browser.close();
server.close();
JS
node run.mjs
