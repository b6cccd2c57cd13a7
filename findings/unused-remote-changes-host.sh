#!/usr/bin/env bash
# One would guess: what a host itself runs of a shared singleton does not depend on a remote that nobody has used yet, and
#   a version outside of the host's requiredVersion is never what the host gets while it has a fitting one of its own.
# What happens: the highest version that any registered remote offers is used, by the host too, from its first line on. A
#   remote with 2.0.0 or with a release candidate makes a host that asks for ^1.0.0 run that, although the remote did not
#   call it a singleton. The host only warns; for the release candidate the federation runtime does not even warn: there
#   1.1.0-rc.1 satisfies ^1.0.0, which webpack's own plugin and npm deny. With strictVersion the host does not start.
#   `shareStrategy: 'loaded-first'` keeps the host on its own; webpack's and Rspack's own plugins have no such setting.
# Why it matters: one team that tries React's next major moves every page of the host to it, also pages without that team's
#   remote. Set 'loaded-first', or share singletons from the host alone (`import: false` in remotes).
# Versions: webpack 5.113.0, Rspack 2.3.3, @module-federation/enhanced 2.9.3, Chromium.
# Source: webpack lib/sharing/ConsumeSharedRuntimeModule.js (findSingletonVersionKey); @module-federation/runtime-core
#   dist/utils/share.js, findSingletonVersionOrderByVersion; https://module-federation.io/configure/sharestrategy.html.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 @module-federation/enhanced@2.9.3 playwright-core@1.65.1
for version in 1.0.0 1.1.0-rc.1 2.0.0; do
  mkdir -p "$version/node_modules/lib"
  echo "{ \"name\": \"lib\", \"version\": \"$version\" }" > "$version/node_modules/lib/package.json"
  echo "export const version = '$version';" > "$version/node_modules/lib/index.js"
  echo '{ "name": "unit", "version": "1.0.0" }' > "$version/package.json"
  echo "export { version } from 'lib';" > "$version/page.js"
done
echo "import('./start.js').catch((error) => (globalThis.runs = error.message));" > 1.0.0/entry.js
cat > 1.0.0/start.js <<'JS'
import { version } from 'lib';
globalThis.runs = version;
globalThis.neverCalled = () => import('shop/page');
JS
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as ForRspack } from '@module-federation/enhanced/rspack';
import { ModuleFederationPlugin as ForWebpack } from '@module-federation/enhanced/webpack';
import { rspack } from '@rspack/core';
import { chromium } from 'playwright-core';
import webpack from 'webpack';

const compile = (bundler, plugin, version, folder, entry) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${folder}`, publicPath: 'auto', filename: 'main.js', uniqueName: folder };
    bundler({ mode: 'production', context: `${process.cwd()}/${version}`, entry, output, plugins: [plugin], infrastructureLogging: { level: 'none' } }).run(
      (error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
  });
const OwnOfWebpack = webpack.container.ModuleFederationPlugin;
const OwnOfRspack = rspack.container.ModuleFederationPluginV1;
for (const version of ['1.1.0-rc.1', '2.0.0']) {
  const shared = { lib: { requiredVersion: `^${version}` } };
  await compile(webpack, new OwnOfWebpack({ name: 'shop', filename: 'entry.js', exposes: { './page': './page.js' }, shared }), version, `shop-${version}`, {});
}
let folder;
let remote;
const server = createServer(({ url }, response) => {
  if (url === '/') return response.setHeader('content-type', 'text/html').end('<script src="main.js"></script>');
  const file = url.startsWith('/shop/') ? `shop-${remote}${url.slice(5)}` : `${folder}${url}`;
  if (!existsSync(file)) return response.writeHead(404).end();
  response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const warned = ['2.0.0, warned', '1.1.0-rc.1, warned'];
const quiet = ['2.0.0, warned', '1.1.0-rc.1'];
const own = ['1.0.0', '1.0.0'];
for (const [name, bundler, Plugin, settings, lib, expected] of [
  ['webpack, own plugin', webpack, OwnOfWebpack, {}, {}, warned],
  ['Rspack, own plugin', rspack, OwnOfRspack, {}, {}, warned],
  ['webpack, enhanced', webpack, ForWebpack, { dts: false }, {}, quiet],
  ['Rspack, enhanced', rspack, ForRspack, { dts: false }, {}, quiet],
  ['webpack, own plugin, strictVersion', webpack, OwnOfWebpack, {}, { strictVersion: true }, ['Unsatisfied version', 'Unsatisfied version']],
  ['webpack, enhanced, strictVersion', webpack, ForWebpack, { dts: false }, { strictVersion: true }, ['Unsatisfied version', '1.1.0-rc.1']],
  ['webpack, enhanced, loaded-first', webpack, ForWebpack, { dts: false, shareStrategy: 'loaded-first' }, {}, own],
  ['Rspack, enhanced, loaded-first', rspack, ForRspack, { dts: false, shareStrategy: 'loaded-first' }, {}, own],
]) {
  folder = name.replaceAll(/\W+/g, '-');
  const shared = { lib: { singleton: true, requiredVersion: '^1.0.0', ...lib } };
  await compile(bundler, new Plugin({ name: 'host', remotes: { shop: 'shop@/shop/entry.js' }, shared, ...settings }), '1.0.0', folder, './entry.js');
  for (const [index, version] of ['2.0.0', '1.1.0-rc.1'].entries()) {
    remote = version;
    const page = await browser.newPage();
    let isWarned = false;
    page.on('console', (message) => (isWarned ||= message.text().includes(version)));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction('globalThis.runs');
    const runs = await page.evaluate(() => globalThis.runs);
    const seen = runs.length < 12 ? runs + (isWarned ? ', warned' : '') : runs.replace(/.*Unsatisfied version.*|.*does not satisfy.*/, 'Unsatisfied version');
    await page.close();
    console.log(`${seen === expected[index] ? 'as said' : `CHANGED (${expected[index]})`}  ${name}, the remote has ${version}: ${seen}`);
    if (seen !== expected[index]) process.exitCode = 1;
  }
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
