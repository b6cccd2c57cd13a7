#!/usr/bin/env bash
# One would guess: System.import() and importShim() treat a module that could not be fetched as Chromium's own import()
#   does, which asks again at the next call; both are stand-ins for it.
# What happens: SystemJS and es-module-shims (in shim mode) keep the failure for the life of the page and ask once, for a
#   503 as for an HTML page. System.delete(address) forgets a 503; after an HTML page it asks again, gets the right file, and
#   rejects with the old syntax error all the same. es-module-shims has no such call. Another address (a query) heals in
#   both. Code that throws is remembered by all three, but SystemJS runs it again after the delete.
# Why it matters: a page that is loaded through single-spa or Native Federation needs a reload, or an address with a query,
#   where the same page in another host heals by itself.
# Versions: SystemJS 6.15.1, es-module-shims 2.8.4, Chromium.
# Source: systemjs dist/system.js (the registry keeps a record with its error; lastWindowErrorUrl is compared with the
#   address and never reset); es-module-shims dist/es-module-shims.js (registry).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund systemjs@6.15.1 es-module-shims@2.8.4 playwright-core@1.65.1

cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';

const shims = "<script>esmsInitOptions = { shimMode: true }</script><script src='/node_modules/es-module-shims/dist/es-module-shims.js'></script>";
const pages = { '/system': "<script src='/node_modules/systemjs/dist/system.js'></script>", '/shim': shims, '/native': '<p></p>' };
const modules = {
  system: { fine: "System.register([], (expose) => ({ execute() { expose('title', 'Prices'); } }));", throwing: "System.register([], () => ({ execute() { throw new Error('from the page'); } }));" },
  esm: { fine: "export const title = 'Prices';", throwing: "throw new Error('from the page');" },
};
let answer;
let asked;
const server = createServer((request, response) => {
  const [path] = request.url.split('?');
  if (pages[path]) return response.setHeader('content-type', 'text/html').end(pages[path]);
  if (path.startsWith('/node_modules/')) return response.setHeader('content-type', 'text/javascript').end(readFileSync(`.${path}`));
  const module = modules[path.slice(1, -'.js'.length)];
  if (!module) return response.writeHead(404).end();
  asked += 1;
  if (answer === '503') return response.writeHead(503).end();
  if (answer === 'HTML') return response.setHeader('content-type', 'text/html').end('<!doctype html>');
  response.setHeader('content-type', 'text/javascript').end(module[answer]);
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
function attempt({ loader, query }) {
  const load = { system: () => System.import(`/system.js${query}`), shim: () => importShim(`/esm.js${query}`), native: () => import(`/esm.js${query}`) };
  return load[loader]().then(({ title }) => title, () => 'rejects');
}
const rejects = 'rejects (1), healed: rejects (1), another address: Prices (2)';
const asks = 'rejects (1), healed: Prices (2), another address: Prices (3)';
for (const [loader, how, expected] of [
  ['native', '503', asks],
  ['native', 'HTML', asks],
  ['native', 'throwing', rejects],
  ['system', '503', `${rejects}, deleted: Prices (3)`],
  ['system', 'HTML', `${rejects}, deleted: rejects (3)`],
  ['system', 'throwing', `${rejects}, deleted: Prices (3)`],
  ['shim', '503', rejects],
  ['shim', 'HTML', rejects],
  ['shim', 'throwing', rejects],
]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${loader}`);
  if (loader !== 'native') await page.waitForFunction((name) => globalThis[name], loader === 'system' ? 'System' : 'importShim');
  const seen = [];
  const note = async (what, query) => seen.push(`${what}${await page.evaluate(attempt, { loader, query })} (${asked})`);
  asked = 0;
  answer = how;
  await note('', '');
  answer = 'fine';
  await note('healed: ', '');
  await note('another address: ', '?retry=1');
  if (loader === 'system') {
    await page.evaluate(() => System.delete(new URL('/system.js', location).href));
    await note('deleted: ', '');
  }
  await page.close();
  tell(`${loader}, ${how}, outcome (requests so far)`, seen.join(', '), expected);
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
