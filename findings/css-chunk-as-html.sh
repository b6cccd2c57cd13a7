#!/usr/bin/env bash
# One would guess: a lazy page whose style sheet is answered with an HTML page (200, text/html: what a server with a
#   fallback to index.html does after a deployment) rejects, as it does with a 404.
# What happens: in Chromium the <link> fires "load", so import() fulfils and the page shows without its styles; nothing
#   is thrown, and the next import() does not ask again when the file is back. No builder looks at what came, in
#   webpack (both ways), Rspack (both ways) and Vite. (Firefox and WebKit fire "error" here.)
# Why it matters: answer files that are missing with 404, never with the fallback; or look at link.sheet.cssRules.
# Versions: webpack 5.113.0, mini-css-extract-plugin 2.10.2, css-loader 7.1.5, Rspack 2.3.3, Vite 8.4.0, Chromium.
# Source: HTML, "process the linked resource" of rel=stylesheet (a wrong type makes an error; Chromium's event differs).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 mini-css-extract-plugin@2.10.2 css-loader@7.1.5 \
  @rspack/core@2.3.3 vite@8.4.0 playwright-core@1.65.1

echo "import './page.css'; export const title = 'Prices';" > page.js
echo 'h1 { color: rgb(1, 2, 3); }' > page.css
echo "globalThis.load = () => import('./page.js');" > entry.js
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { rspack } from '@rspack/core';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const compile = (bundler, folder, rule, plugins, experiments) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, publicPath: 'auto' };
    bundler({ mode: 'production', entry: './entry.js', output, plugins, experiments, module: { rules: [{ test: /\.css$/, ...rule }] } })
      .run((error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
  });
const extract = (Plugin) => [{ use: [Plugin.loader, 'css-loader'], type: 'javascript/auto' }, [new Plugin()]];
await compile(webpack, 'webpack-extract', ...extract(MiniCssExtractPlugin));
await compile(webpack, 'webpack-css', { type: 'css/auto' }, [], { css: true });
await compile(rspack, 'rspack-extract', ...extract(rspack.CssExtractRspackPlugin));
await compile(rspack, 'rspack-css', { type: 'css/auto' }, []);
const rollupOptions = { input: 'entry.js', output: { entryFileNames: 'main.js' } };
await build({ logLevel: 'error', base: './', build: { outDir: 'vite', rollupOptions } });

let answer;
let asked;
const types = { js: 'text/javascript', css: 'text/css' };
const server = createServer((request, response) => {
  const type = types[request.url.split('.').at(-1)];
  if (request.url.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<h1>x</h1><script type="module" src="main.js"></script>');
  if (!type) return response.writeHead(404).end();
  if (type === 'text/css') {
    asked += 1;
    if (answer === '404') return response.writeHead(404).end();
    if (answer === 'HTML') return response.setHeader('content-type', 'text/html').end('<!doctype html><h1>x</h1>');
  }
  response.setHeader('content-type', type).end(readFileSync(`.${request.url}`));
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
  const outcome = await load().then(() => 'fulfils', () => 'rejects');
  return `${outcome}, ${getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)' ? 'styled' : 'unstyled'}`;
}
for (const folder of ['webpack-extract', 'webpack-css', 'rspack-extract', 'rspack-css', 'vite'])
  for (const [first, expected] of [
    ['404', 'rejects, unstyled; then fulfils, styled (asked 2×)'],
    ['HTML', 'fulfils, unstyled; then fulfils, unstyled (asked 1×)'],
  ]) {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
    await page.waitForFunction('globalThis.load');
    asked = 0;
    answer = first;
    const before = await page.evaluate(attempt);
    answer = 'the file';
    tell(`${folder}, ${first}, then healed`, `${before}; then ${await page.evaluate(attempt)} (asked ${asked}×)`, expected);
    await page.close();
  }
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
