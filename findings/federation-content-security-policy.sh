#!/usr/bin/env bash
# One would guess: a host with a Content-Security-Policy that sets __webpack_nonce__ and output.trustedTypes, and whose own
#   chunks load, loads its remotes as well.
# What happens: webpack's own federation plugin puts the nonce on the remote's entry and asks the Trusted Types policy; the
#   federation runtime does neither, so the browser blocks the entry (RUNTIME-008, "unreachable", which names the network).
#   And the nonce of the host never reaches the chunks of the remote, in both. 'strict-dynamic' lets all of them load; for
#   Trusted Types a runtime plugin has to make the <script> (hook createScript).
# Why it matters: moving a host from webpack's plugin to the runtime's breaks it where a policy is set, with an error that
#   speaks of 404 and CORS. Send 'strict-dynamic' with the nonce.
# Versions: webpack 5.113.0, @module-federation/enhanced 2.9.3, Chromium.
# Source: @module-federation/sdk dist/dom.js, createScript (no nonce; src is set to the bare string); webpack
#   lib/runtime/LoadScriptRuntimeModule.js (scriptNonce, createScriptUrl).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @module-federation/enhanced@2.9.3 playwright-core@1.65.1

echo "export const title = 'Shop';" > page.js
echo "export const title = 'own';" > own.js
cat > host.js <<'JS'
__webpack_nonce__ = 'abc';
globalThis.own = () => import('./own.js');
globalThis.remote = () => import('shop/page');
JS
cat > make-script.js <<'JS'
const policy = trustedTypes.createPolicy('remotes', { createScriptURL: (url) => url });
export default () => ({
  name: 'make-script',
  createScript: ({ url }) => Object.assign(document.createElement('script'), { src: policy.createScriptURL(url) }),
});
JS
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ModuleFederationPlugin as Enhanced } from '@module-federation/enhanced/webpack';
import { chromium } from 'playwright-core';
import webpack from 'webpack';

let policy;
const server = createServer((request, response) => {
  response.setHeader('content-security-policy', policy);
  if (request.url.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<script nonce="abc" src="main.js"></script>');
  if (!request.url.endsWith('.js')) return response.writeHead(404).end();
  response.setHeader('content-type', 'text/javascript').end(readFileSync(`.${request.url}`));
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
const site = `http://127.0.0.1:${server.address().port}`;
const compile = (path, entry, Plugin, options) =>
  new Promise((resolve, reject) => {
    const output = { path: `${process.cwd()}/${path}`, publicPath: 'auto', uniqueName: path, trustedTypes: true };
    const plugins = [new Plugin(Plugin === Enhanced ? { ...options, dts: false, manifest: false } : options)];
    webpack({ mode: 'production', entry, output, plugins }).run((error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve());
  });
for (const [name, Plugin, more] of [['own', webpack.container.ModuleFederationPlugin, {}], ['enhanced', Enhanced, {}], ['enhanced-hook', Enhanced, { runtimePlugins: ['./make-script.js'] }]]) {
  await compile(`${name}-shop`, {}, Plugin, { name: 'shop', filename: 'entry.js', exposes: { './page': './page.js' } });
  await compile(`${name}-host`, './host.js', Plugin, { name: 'host', remotes: { shop: `shop@${site}/${name}-shop/entry.js` }, ...more });
}
const nonce = "script-src 'nonce-abc'";
const strict = "script-src 'nonce-abc' 'strict-dynamic'";
const trusted = "require-trusted-types-for 'script'";
for (const [folder, header, expected] of [
  ['own', nonce, "own; ChunkLoadError of the remote's chunk"],
  ['enhanced', nonce, "own; RUNTIME-008 of the remote's entry"],
  ['own', strict, 'own; Shop'],
  ['enhanced', strict, 'own; Shop'],
  ['own', trusted, 'own; Shop'],
  ['enhanced', trusted, "own; RUNTIME-008 of the remote's entry"],
  ['enhanced-hook', trusted, 'own; Shop'],
]) {
  policy = header;
  const page = await browser.newPage();
  await page.goto(`${site}/${folder}-host/`);
  const seen = await page.evaluate(async () => {
    const runtimeError = ({ message }) => message.match(/RUNTIME-\d+/)?.[0];
    const fail = (error) => (runtimeError(error) ? `${runtimeError(error)} of the remote's entry` : `${error.name} of the remote's chunk`);
    const shown = [own, remote].map((load) => load().then(({ title }) => title, fail));
    return (await Promise.all(shown)).join('; ');
  });
  await page.close();
  tell(`${folder}, ${header}`, seen, expected);
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
