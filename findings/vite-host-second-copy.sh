#!/usr/bin/env bash
# One would guess: in a Vite host a shared singleton's code runs once, as in hosts of webpack and Rspack; and a remote that
#   asks for another major of it, as no singleton, gets that.
# What happens: where a remote has a newer version, the host evaluates its own copy as well, and then uses the remote's: what
#   the package does when it is loaded happens twice. A Vite remote that asks for ^0.9.0 and brings it gets the host's
#   1.0.0 without a word; one that asks for ^2.0.0 gets 1.0.0 while the host runs the 2.0.0 that it brought: each has
#   the other's. The same remotes get their own versions in a host of webpack, which evaluates no copy that it
#   does not use.
# Why it matters: a package that defines custom elements, patches globals or keeps a registry breaks in Vite hosts alone;
#   and a remote pinned to an older major runs the newer one. Keep versions of singletons equal, give other majors
#   another name.
# Versions: Vite 8.4.0, @module-federation/vite 1.23.8, webpack 5.113.0, @module-federation/enhanced 2.9.3, Chromium.
# Source: @module-federation/vite README, shared; what it builds: the local copies of hostInit and localSharedImportMap.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 vite@8.4.0 @module-federation/enhanced@2.9.3 \
  @module-federation/vite@1.23.8 playwright-core@1.65.1
for version in 0.9.0 1.0.0 1.1.0 2.0.0; do
  mkdir -p "$version/node_modules/lib"
  echo "{ \"name\": \"lib\", \"version\": \"$version\", \"type\": \"module\", \"main\": \"index.js\" }" > "$version/node_modules/lib/package.json"
  echo "(globalThis.ran ??= []).push('$version'); export const version = '$version';" > "$version/node_modules/lib/index.js"
  echo "{ \"name\": \"unit\", \"version\": \"1.0.0\", \"type\": \"module\", \"dependencies\": { \"lib\": \"^$version\" } }" > "$version/package.json"
  echo "export { version } from 'lib';" > "$version/page.js"
done
echo "import('./start.js');" > 1.0.0/entry.js
echo '<script type="module" src="./entry.js"></script>' > 1.0.0/index.html
cat > 1.0.0/start.js <<'JS'
import { version } from 'lib';
globalThis.play = async () => `host ${version}, remote ${(await import('shop/page')).version}, evaluated ${globalThis.ran.sort()}`;
JS
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import { federation } from '@module-federation/vite';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import webpack from 'webpack';

const here = process.cwd();
const viteBuild = (version, folder, input, options) =>
  build({
    configFile: false,
    root: `${here}/${version}`,
    base: './',
    logLevel: 'error',
    plugins: [federation({ ...options, dts: false })],
    build: { outDir: `${here}/${folder}`, target: 'es2022', rolldownOptions: { input: `${here}/${version}/${input}` } },
  });
const singleton = { lib: { singleton: true, requiredVersion: '^1.0.0' } };
await viteBuild('1.0.0', 'vite', 'index.html', { name: 'host', remotes: { shop: { type: 'global', name: 'shop', entry: '/shop/entry.js' } }, shared: singleton });
await new Promise((resolve, reject) => {
  const output = { path: `${here}/webpack`, publicPath: 'auto', filename: 'main.js' };
  const plugin = new ModuleFederationPlugin({ name: 'host', remotes: { shop: 'shop@/shop/entry.js' }, shared: singleton, dts: false });
  webpack({ mode: 'production', context: `${here}/1.0.0`, entry: './entry.js', output, plugins: [plugin], infrastructureLogging: { level: 'none' } }).run(
    (error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
});
for (const [version, shared] of [['1.1.0', singleton], ['0.9.0', { lib: { requiredVersion: '^0.9.0' } }], ['2.0.0', { lib: { requiredVersion: '^2.0.0' } }]])
  await viteBuild(version, `shop-${version}`, 'page.js', { name: 'shop', filename: 'module.js', varFilename: 'entry.js', exposes: { './page': './page.js' }, shared });
let folder;
let remote;
const server = createServer(({ url }, response) => {
  const file = url.startsWith('/shop/') ? `shop-${remote}${url.slice(5)}` : `${folder}${url === '/' ? '/index.html' : url}`;
  if (file === 'webpack/index.html') return response.setHeader('content-type', 'text/html').end('<script src="main.js"></script>');
  if (!existsSync(file)) return response.writeHead(404).end();
  response.setHeader('content-type', file.endsWith('.html') ? 'text/html' : 'text/javascript').end(readFileSync(file));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
for (const [host, version, expected] of [
  ['webpack', '1.1.0', 'host 1.1.0, remote 1.1.0, evaluated 1.1.0'],
  ['vite', '1.1.0', 'host 1.1.0, remote 1.1.0, evaluated 1.0.0,1.1.0'],
  ['webpack', '0.9.0', 'host 1.0.0, remote 0.9.0, evaluated 0.9.0,1.0.0'],
  ['vite', '0.9.0', 'host 1.0.0, remote 1.0.0, evaluated 1.0.0'],
  ['webpack', '2.0.0', 'host 2.0.0, remote 2.0.0, evaluated 2.0.0'],
  ['vite', '2.0.0', 'host 2.0.0, remote 1.0.0, evaluated 1.0.0,2.0.0'],
]) {
  folder = host;
  remote = version;
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction('globalThis.play');
  const seen = await page.evaluate(() => play());
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${host} host, Vite remote with lib ${version}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
