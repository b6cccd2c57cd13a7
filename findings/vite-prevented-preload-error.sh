#!/usr/bin/env bash
# One would guess: event.preventDefault() in a listener of Vite's "vite:preloadError" keeps the error from the console,
#   or lets the page go on without the part; what awaits the import() does not notice, or still gets the rejection.
# What happens: the event also tells of errors of the page's own code. The import() then fulfils, with undefined,
#   so React.lazy or a router fails one step later with an error of its own, which hides the cause. For a style
#   sheet that did not come it fulfils with the page, unstyled. The listener that the documentation shows (reload, then
#   preventDefault) shows that second error while the reload is under way.
# Why it matters: reload without preventDefault(), or return a promise that stays pending; and do not log what comes after
#   as the cause.
# Versions: Vite 8.4.0, Chromium.
# Source: vite dist/node/chunks/node.js, preload (handlePreloadError); https://vite.dev/guide/build#load-error-handling.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund vite@8.4.0 playwright-core@1.65.1

echo "import './page.css'; if (globalThis.broken) throw new Error('from the page'); export const title = 'Prices';" > page.js
echo 'h1 { color: red; }' > page.css
echo "globalThis.load = () => import('./page.js');" > entry.js
cat > run.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const rollupOptions = { input: 'entry.js', output: { entryFileNames: 'main.js' } };
await build({ logLevel: 'error', base: './', build: { outDir: 'vite', rollupOptions } });

let failing;
const server = createServer((request, response) => {
  const file = `./vite${request.url}`;
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end('<script type="module" src="main.js"></script>');
  if (!existsSync(file) || (file.includes('page') && file.endsWith(failing))) return response.writeHead(404).end();
  response.setHeader('content-type', file.endsWith('.css') ? 'text/css' : 'text/javascript').end(readFileSync(file));
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
async function attempt({ prevent, broken }) {
  globalThis.broken = broken;
  const payloads = [];
  addEventListener('vite:preloadError', (event) => {
    payloads.push(event.payload.message.split(/(?: for|:) http/)[0]);
    if (prevent) event.preventDefault();
  });
  const outcome = await load().then((page) => `fulfils with ${page ? `the page "${page.title}"` : String(page)}`, () => 'rejects');
  return `${payloads.join(', ')}: ${outcome}`;
}
for (const [name, ending, broken, reason, prevented] of [
  ['script 404', '.js', false, 'Failed to fetch dynamically imported module', 'fulfils with undefined'],
  ['code throws', 'none', true, 'from the page', 'fulfils with undefined'],
  ['style sheet 404', '.css', false, 'Unable to preload CSS', 'fulfils with the page "Prices"'],
])
  for (const prevent of [false, true]) {
    failing = ending;
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction('globalThis.load');
    const seen = await page.evaluate(attempt, { prevent, broken });
    await page.close();
    tell(prevent ? `${name}, prevented` : name, seen, `${reason}: ${prevent ? prevented : 'rejects'}`);
  }
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
