#!/usr/bin/env bash
# One would guess: a lazy page that failed is asked for again at the next import(), and what is thrown is an Error.
# What happens: Parcel keeps the first failure for the life of the page, of the script as of the style sheet, and never
#   asks again (its loader forgets failures, but the module around it keeps the rejected promise). Farm asks again for
#   scripts; when the style sheet failed, the page's script has come, so the second import() shows it without styles; a
#   script answered with HTML is never asked for again. What both throw for style sheets, and Farm for scripts, is a DOM Event:
#   no message, no stack, "[object Event]" in the log.
# Why it matters: a "try again" button is of no use in a Parcel app, and half of one in a Farm app; reload instead. An
#   error handler that reads error.message gets undefined.
# Versions: Parcel 2.16.4, @farmfe/core 1.7.11, Chromium.
# Source: @parcel/runtime-js lib/helpers/browser/css-loader.js and lib/helpers/cacheLoader.js; @farmfe/runtime
#   dist/module-system.js, farmDynamicRequire (a module that is registered needs no files), dist/resource-loader.js.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund parcel@2.16.4 @farmfe/core@1.7.11 playwright-core@1.65.1

echo "import './page.css'; export { title } from './title.js';" > page.js
echo "export const title = 'Prices';" > title.js
echo 'h1 { color: rgb(1, 2, 3); }' > page.css
echo "globalThis.load = () => import('./page.js');" > entry.js
echo '<!doctype html><h1>x</h1><script type="module" src="./entry.js"></script>' > index.html
npx parcel build index.html --no-cache --dist-dir parcel --public-url ./ > parcel.log
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { build } from '@farmfe/core';
import { chromium } from 'playwright-core';

const output = { path: 'farm', publicPath: './' };
await build({ configFile: undefined, compilation: { input: { index: './index.html' }, output, persistentCache: false } });

const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
let answer;
let failing;
let asked;
const server = createServer((request, response) => {
  const file = `.${request.url.replace(/\/$/, '/index.html')}`;
  if (!existsSync(file)) return response.writeHead(404).end();
  if (file.includes('/page') && file.endsWith(failing)) {
    asked += 1;
    if (answer === '404') return response.writeHead(404).end();
    if (answer === 'HTML') return response.setHeader('content-type', 'text/html').end('<!doctype html>');
  }
  response.setHeader('content-type', types[file.split('.').at(-1)]).end(readFileSync(file));
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
async function attempt() {
  const styled = () => (getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)' ? 'styled' : 'unstyled');
  return load().then(() => `fulfils, ${styled()}`, (error) => `throws ${error instanceof Error ? error.name : Object.prototype.toString.call(error)}`);
}
for (const [folder, kind, how, expected] of [
  ['parcel', '.js', '404', 'throws TypeError; then throws TypeError (asked 1×)'],
  ['parcel', '.js', 'HTML', 'throws TypeError; then throws TypeError (asked 1×)'],
  ['parcel', '.css', '404', 'throws [object Event]; then throws [object Event] (asked 1×)'],
  ['farm', '.js', '404', 'throws [object Event]; then fulfils, styled (asked 2×)'],
  ['farm', '.js', 'HTML', 'throws Error; then throws Error (asked 1×)'],
  ['farm', '.css', '404', 'throws [object Event]; then fulfils, unstyled (asked 1×)'],
]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
  await page.waitForFunction('globalThis.load');
  asked = 0;
  failing = kind;
  answer = how;
  const first = await page.evaluate(attempt);
  answer = 'the file';
  tell(`${folder}, page${kind} ${how}, then healed`, `${first}; then ${await page.evaluate(attempt)} (asked ${asked}×)`, expected);
  await page.close();
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
