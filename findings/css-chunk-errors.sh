#!/usr/bin/env bash
# One would guess: a lazy page whose style sheet does not come rejects as one whose script does not come:
#   name ChunkLoadError, "Loading chunk …", the address, and after chunkLoadTimeout at the latest.
# What happens: five builds, five errors. Rspack's and Rsbuild's extracted CSS has the name "Error" and a
#   backslash with an n in the text instead of a line break; Rspack's built-in CSS has no address ("undefined");
#   built-in CSS writes "css" in small letters, extracted CSS in capitals; Vite's error has neither code nor type.
#   A style sheet that hangs rejects after chunkLoadTimeout with built-in CSS alone: extracted CSS waits for ever.
# Why it matters: a handler that looks for "Loading chunk" or ChunkLoadError misses all or half of them, and a
#   visitor whose style sheet hangs sees the fallback for good.
# Versions: webpack 5.113.0, mini-css-extract-plugin 2.10.2, css-loader 7.1.5, Rspack 2.3.3, Rsbuild 2.3.2,
#   Vite 8.4.0, Chromium.
# Source: mini-css-extract-plugin dist/index.js (createStylesheet); webpack lib/css/CssLoadingRuntimeModule.js;
#   Rspack's runtime css_loading; vite dist/node/chunks/node.js (preload).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 mini-css-extract-plugin@2.10.2 css-loader@7.1.5 \
  @rspack/core@2.3.3 @rsbuild/core@2.3.2 vite@8.4.0 playwright-core@1.65.1

echo "import './page.css'; export const title = 'Prices';" > page.js
echo 'h1 { color: red; }' > page.css
echo "globalThis.load = () => import('./page.js');" > entry.js
cat > run.mjs <<'JS'
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRsbuild } from '@rsbuild/core';
import { rspack } from '@rspack/core';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const compile = (bundler, folder, rule, plugins, experiments) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, publicPath: 'auto', chunkLoadTimeout: 1000 };
    bundler({ mode: 'production', entry: './entry.js', output, plugins, experiments, module: { rules: [{ test: /\.css$/, ...rule }] } })
      .run((error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
  });
const extract = (Plugin) => [{ use: [Plugin.loader, 'css-loader'], type: 'javascript/auto' }, [new Plugin()]];
await compile(webpack, 'webpack-extract', ...extract(MiniCssExtractPlugin));
await compile(webpack, 'webpack-css', { type: 'css/auto' }, [], { css: true });
await compile(rspack, 'rspack-extract', ...extract(rspack.CssExtractRspackPlugin));
await compile(rspack, 'rspack-css', { type: 'css/auto' }, []);
const output = { distPath: { root: 'rsbuild', js: '' }, filenameHash: false, assetPrefix: 'auto' };
const chunkLoadTimeout = { output: { chunkLoadTimeout: 1000 } };
const rsbuild = await createRsbuild({
  rsbuildConfig: { logLevel: 'error', source: { entry: { main: './entry.js' } }, tools: { htmlPlugin: false, rspack: chunkLoadTimeout }, output },
});
await rsbuild.build();
const rollupOptions = { input: 'entry.js', output: { entryFileNames: 'main.js' } };
await build({ logLevel: 'error', base: './', build: { outDir: 'vite', rollupOptions } });

let hanging = false;
const server = createServer(async (request, response) => {
  if (request.url.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<script type="module" src="main.js"></script>');
  if (request.url.endsWith('.css')) return hanging || response.writeHead(404).end();
  const file = await readFile(`.${request.url}`).catch(() => undefined);
  response.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' }).end(file);
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
/** The error within three seconds, without what differs between two runs: ids, hashes, ports. */
function outcome() {
  const late = new Promise((resolve) => setTimeout(resolve, 3000, 'waits for ever'));
  const error = ({ name, code, type, message }) => {
    const text = JSON.stringify(message.replace(/http\S*css/, '<address>').replace(/chunk \w+/, 'chunk <id>'));
    return `${name}, code ${code}, type ${type}, ${text}`;
  };
  return Promise.race([load().then(() => 'fulfils', error), late]);
}
const extracted = (name, text) => `${name}, code CSS_CHUNK_LOAD_FAILED, type error, "Loading CSS chunk <id> failed.${text}(<address>)"`;
const builtIn = (type, address) => `ChunkLoadError, code undefined, type ${type}, "Loading css chunk <id> failed.\\n(${type}: ${address})"`;
const forEver = 'waits for ever';
for (const [folder, missing, hung] of [
  ['webpack-extract', extracted('ChunkLoadError', '\\n').replace('(<', '(error: <'), forEver],
  ['webpack-css', builtIn('error', '<address>'), builtIn('timeout', '<address>')],
  ['rspack-extract', extracted('Error', '\\\\n'), forEver],
  ['rspack-css', builtIn('error', 'undefined'), builtIn('timeout', 'undefined')],
  ['rsbuild', extracted('Error', '\\\\n'), forEver],
  ['vite', 'Error, code undefined, type undefined, "Unable to preload CSS for <address>"', forEver],
])
  for (const [how, expected] of [['404', missing], ['hangs', hung]]) {
    hanging = how === 'hangs';
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
    await page.waitForFunction('globalThis.load');
    const seen = await page.evaluate(outcome);
    await page.close();
    console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${folder}, ${how}: ${seen}`);
    if (seen !== expected) process.exitCode = 1;
  }
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
