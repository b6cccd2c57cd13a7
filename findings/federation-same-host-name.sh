#!/usr/bin/env bash
# One would guess: two widgets on one page that bundle their own federation runtime and both call
#   init({ name: 'host', remotes: […] }) do not touch each other; surely not where the runtimes have different versions.
# What happens: a page has one instance for each name. The second init() hands out the first widget's instance, made by the
#   first one's version of the runtime (0.24.1 gets one of 2.9.3, and the other way round), and its own remote `shop` is
#   dropped without a word: it shows the first widget's shop. A different name, a `version` beside the name, or
#   createInstance() keeps them apart.
# Why it matters: "host" is the name in every guide. Widgets of two teams work alone and show each other's pages together;
#   which one wins depends on the order of the scripts. Give each host a name of its own, or use createInstance().
# Versions: @module-federation/runtime 2.9.3 and 0.24.1, Chromium.
# Source: @module-federation/runtime dist/utils.js, getGlobalFederationInstance (window.__FEDERATION__.__INSTANCES__ by name);
#   https://module-federation.io/guide/runtime/runtime-api.html#init.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund new@npm:@module-federation/runtime@2.9.3 old@npm:@module-federation/runtime@0.24.1 \
  esbuild@0.28.2 playwright-core@1.65.1
for runtime in new old; do
  echo "import * as runtime from '$runtime'; (globalThis.widgets ??= []).push(runtime);" > "$runtime.js"
done
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const bundle = (runtime) => {
  const [{ text }] = buildSync({ entryPoints: [`${runtime}.js`], bundle: true, format: 'iife', write: false }).outputFiles;
  return `<script>${text.replaceAll('</script', '<\\/script')}</script>`;
};
const scripts = { new: bundle('new'), old: bundle('old') };
const server = createServer(({ url }, response) => {
  const [, folder, file] = url.split('/');
  if (file === 'entry.js')
    return response.setHeader('content-type', 'text/javascript').end(`var ${folder} = { init() {}, get: async () => () => ({ title: '${folder}' }) };`);
  response.setHeader('content-type', 'text/html').end(folder.split('+').map((runtime) => scripts[runtime]).join(''));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
/** What the second widget shows, and which runtime made its instance; each widget has its own shop. */
async function startWidgets({ names, versions, call }) {
  const seen = [];
  for (const [index, folder] of ['first_shop', 'second_shop'].entries()) {
    const remotes = [{ name: 'shop', entry: `/${folder}/entry.js`, entryGlobalName: folder }];
    const instance = widgets[index][call]({ name: names[index], version: versions[index], remotes, shared: {} });
    const { title } = await instance.loadRemote('shop/page');
    seen.push(`${title} by ${instance.version}`);
  }
  return seen.join(', ');
}
const same = { names: ['host', 'host'], versions: [], call: 'init' };
const apart = 'first_shop by 2.9.3, second_shop by 0.24.1';
for (const [name, widgets, how, expected] of [
  ['one name, new before old', 'new+old', same, 'first_shop by 2.9.3, first_shop by 2.9.3'],
  ['one name, old before new', 'old+new', same, 'first_shop by 0.24.1, first_shop by 0.24.1'],
  ['one name, new twice', 'new+new', same, 'first_shop by 2.9.3, first_shop by 2.9.3'],
  ['two names', 'new+old', { ...same, names: ['one', 'two'] }, apart],
  ['one name, two versions', 'new+old', { ...same, versions: ['1.0.0', '2.0.0'] }, apart],
  ['one name, createInstance()', 'new+new', { ...same, call: 'createInstance' }, 'first_shop by 2.9.3, second_shop by 2.9.3'],
]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${widgets}`);
  const seen = await page.evaluate(startWidgets, how);
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
