#!/usr/bin/env bash
# One would guess: webpack's HTML entry (5.107 and later) builds an index.html with <script type="module"> in its head, as
#   Vite and Parcel do: the script runs after the document is parsed, as module scripts always do.
# What happens: without `output.module` the tag becomes a classic one without `defer`, in its place in the head. It runs
#   before there is a body: document.querySelector('#root') is null, and nothing shows. The build does not warn, and
#   `output.html.scriptLoading: 'defer'` changes nothing for a tag that is written in the page. With `output.module` the
#   tag stays a module script.
# Why it matters: an index.html that comes from Vite fails in webpack; what webpack makes itself has `defer`. Set
#   output.module, or write defer into the tag.
# Versions: webpack 5.113.0, Vite 8.4.0, Chromium.
# Source: webpack lib/html (HtmlModulesPlugin.js looks at scriptLoading for injected tags only);
#   https://github.com/webpack/webpack/pull/21200 (scriptLoading).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 vite@8.4.0 playwright-core@1.65.1

cat > index.html <<'HTML'
<!doctype html>
<html lang="en"><head><title>Shop</title><script type="module" src="./entry.js"></script></head><body><p id="root"></p></body></html>
HTML
sed 's/type="module"/type="module" defer/' index.html > with-defer.html
echo "globalThis.root = document.querySelector('#root') ? 'finds the root' : 'finds no root';" > entry.js
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const compile = (folder, entry, more) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, publicPath: 'auto', htmlFilename: 'index.html', ...more };
    webpack({ mode: 'production', entry, output, experiments: { html: true, outputModule: output.module } }).run((error, stats) => {
      if (error || stats.hasErrors() || stats.hasWarnings()) return reject(error ?? new Error(stats.toString()));
      return resolve();
    });
  });
await compile('default', './index.html', {});
await compile('script-loading', './index.html', { html: { scriptLoading: 'defer' } });
await compile('defer-in-page', './with-defer.html', {});
await compile('module', './index.html', { module: true });
await build({ logLevel: 'error', base: './', build: { outDir: 'vite' } });

const server = createServer((request, response) => {
  const file = `.${request.url.replace(/\/$/, '/index.html')}`;
  if (!/\.(?:html|m?js)$/.test(file)) return response.writeHead(404).end();
  response.setHeader('content-type', file.endsWith('.html') ? 'text/html' : 'text/javascript').end(readFileSync(file));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
for (const [folder, expected] of Object.entries({
  default: 'classic, not deferred: finds no root',
  'script-loading': 'classic, not deferred: finds no root',
  'defer-in-page': 'classic, deferred: finds the root',
  module: 'module: finds the root',
  vite: 'module: finds the root',
})) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
  await page.waitForFunction('globalThis.root');
  const seen = await page.evaluate(() => {
    const { type, defer } = document.querySelector('script');
    return `${type === 'module' ? 'module' : `classic, ${defer ? 'deferred' : 'not deferred'}`}: ${root}`;
  });
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${folder}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
