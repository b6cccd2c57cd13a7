#!/usr/bin/env bash
# One would guess: import('./page.css', { with: { type: 'css' } }) gives a module whose default is a CSSStyleSheet, which
#   styles nothing until it is adopted (by a shadow root, say), as it does in Chromium; or the build says it cannot.
# What happens: mini-css-extract-plugin, Rsbuild and Vite ignore the attribute, without a word: the styles apply to the
#   whole page and `default` is undefined. With webpack's own CSS `default` is undefined too where nothing else of the
#   module is used (its chunk exports the sheet itself, in place of a module). Rspack's own CSS does as the standard says.
#   esbuild refuses at build time.
# Why it matters: styles that were meant for one shadow root style the host's page; the same source works in one builder
#   and leaks in the next. Look for `with { type: 'css' }` before a unit changes its builder.
# Versions: webpack 5.113.0, mini-css-extract-plugin 2.10.2, css-loader 7.1.5, Rspack 2.3.3, Rsbuild 2.3.2, Vite 8.4.0,
#   esbuild 0.28.2, Chromium.
# Source: HTML, "CSS module script"; webpack lib/css (module type css/auto with exportType "css-style-sheet");
#   esbuild: "Importing with a type attribute of "css" is not supported".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 mini-css-extract-plugin@2.10.2 css-loader@7.1.5 \
  @rspack/core@2.3.3 @rsbuild/core@2.3.2 vite@8.4.0 esbuild@0.28.2 playwright-core@1.65.1

echo 'h1 { color: rgb(1, 2, 3); }' > page.css
cat > entry.js <<'JS'
globalThis.load = async () => {
  const page = await import('./page.css', { with: { type: 'css' } });
  return page.default;
};
JS
cat > run.mjs <<'JS'
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRsbuild } from '@rsbuild/core';
import { rspack } from '@rspack/core';
import { build as esbuild } from 'esbuild';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const compile = (bundler, folder, rule, plugins, experiments) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, publicPath: 'auto' };
    bundler({ mode: 'production', entry: './entry.js', output, plugins, experiments, module: { rules: [{ test: /\.css$/, ...rule }] } })
      .run((error, stats) => {
        if (error || stats.hasErrors() || stats.hasWarnings()) return reject(error ?? new Error(stats.toString()));
        return resolve();
      });
  });
await compile(webpack, 'webpack-extract', { use: [MiniCssExtractPlugin.loader, 'css-loader'], type: 'javascript/auto' }, [new MiniCssExtractPlugin()]);
await compile(webpack, 'webpack-css', { type: 'css/auto' }, [], { css: true });
await compile(rspack, 'rspack-css', { type: 'css/auto' }, []);
const output = { distPath: { root: 'rsbuild', js: '' }, filenameHash: false, assetPrefix: 'auto' };
const rsbuild = await createRsbuild({ rsbuildConfig: { logLevel: 'error', source: { entry: { main: './entry.js' } }, tools: { htmlPlugin: false }, output } });
await rsbuild.build();
const rollupOptions = { input: 'entry.js', output: { entryFileNames: 'main.js' } };
await build({ logLevel: 'warn', base: './', build: { outDir: 'vite', rollupOptions } });
const refused = await esbuild({ entryPoints: ['entry.js'], bundle: true, format: 'esm', outdir: 'esbuild', logLevel: 'silent' }).then(() => 'builds', ({ errors }) => errors[0].text);
mkdirSync('browser');
cpSync('entry.js', 'browser/main.js');
cpSync('page.css', 'browser/page.css');

const types = { js: 'text/javascript', css: 'text/css' };
const server = createServer((request, response) => {
  if (request.url.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<h1>x</h1><script type="module" src="main.js"></script>');
  const type = types[request.url.split('.').at(-1)];
  if (!type) return response.writeHead(404).end();
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
async function look() {
  const sheet = await load();
  return `default is ${sheet instanceof CSSStyleSheet ? 'the sheet' : String(sheet)}; the page is ${getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)' ? 'styled' : 'untouched'}`;
}
tell('esbuild', refused, 'Importing with a type attribute of "css" is not supported');
for (const [folder, expected] of Object.entries({
  browser: 'default is the sheet; the page is untouched',
  'rspack-css': 'default is the sheet; the page is untouched',
  'webpack-css': 'default is undefined; the page is untouched',
  'webpack-extract': 'default is undefined; the page is styled',
  rsbuild: 'default is undefined; the page is styled',
  vite: 'default is undefined; the page is styled',
})) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
  await page.waitForFunction('globalThis.load');
  tell(folder, await page.evaluate(look), expected);
  await page.close();
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
