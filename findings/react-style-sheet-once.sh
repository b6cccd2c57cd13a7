#!/usr/bin/env bash
# One would guess: a style sheet that React 19 renders with `precedence` is React's: if it fails, the part is not shown or
#   an error boundary is, and rendering the part anew asks again; if other code takes the link out of the head, the next
#   part that needs it brings it back.
# What happens: neither. After a 503 the part is shown unstyled; no boundary and no error handler of the root is called,
#   window gets an unhandled rejection whose reason is a DOM Event. Parts that are rendered later, by other roots and by
#   another copy of react-dom, ask for nothing. A link that was removed never comes back from the copy that made it: each
#   copy remembers the element; another copy puts in its own. The same sheet under another address is asked for.
# Why it matters: a host that cleans the head when it leaves a remote (single-spa-css, micro-frontend routers) takes away
#   styles that React believes in, and "try again" around a federated part keeps it unstyled until a reload. Leave links
#   with data-precedence alone; for another try add a query to the address.
# Versions: react and react-dom 19.3.1, Chromium.
# Source: react-dom cjs/react-dom-client.production.js, acquireResource and insertStylesheet (Inserted is never taken back);
#   https://react.dev/reference/react-dom/components/link#special-rendering-behavior.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund react@19.3.1 react-dom@19.3.1 esbuild@0.28.2 playwright-core@1.65.1
cat > copy.js <<'JS'
import { Component, createElement } from 'react';
import { createRoot } from 'react-dom/client';
globalThis.told = [];
class Boundary extends Component {
  state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  render = () => (this.state.failed ? createElement('p', null, 'failed') : this.props.children);
}
/** Renders the part into a new root, and says how it is shown. */
const render = async (href) => {
  const element = document.body.appendChild(document.createElement('div'));
  const shown = new Promise((resolve) => new MutationObserver(resolve).observe(element, { childList: true, subtree: true }));
  const handlers = Object.fromEntries(['onUncaughtError', 'onCaughtError', 'onRecoverableError'].map((name) => [name, () => told.push(name)]));
  const link = createElement('link', { key: 'link', rel: 'stylesheet', href, precedence: 'design' });
  createRoot(element, handlers).render(createElement(Boundary, null, [link, createElement('p', { key: 'p' }, 'Prices')]));
  await shown;
  const text = element.querySelector('p');
  return `${text.textContent} ${getComputedStyle(text).color === 'rgb(1, 2, 3)' ? 'styled' : 'unstyled'}`;
};
(globalThis.copies ??= []).push(render);
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const define = { 'process.env.NODE_ENV': '"production"' };
const [{ text: copy }] = buildSync({ entryPoints: ['copy.js'], bundle: true, format: 'iife', define, write: false }).outputFiles;
let asked;
let fails;
const server = createServer(({ url }, response) => {
  if (url === '/')
    return response.setHeader('content-type', 'text/html').end(`<!doctype html><body><script>${copy}</script><script>${copy}</script></body>`);
  if (!url.startsWith('/design.css')) return response.writeHead(404).end();
  asked += 1;
  if (fails) return response.writeHead(503).end();
  response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'no-store' }).end('p { color: rgb(1, 2, 3) }');
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
let page;
async function open(failing) {
  fails = failing;
  asked = 0;
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(() => addEventListener('unhandledrejection', ({ reason }) => told.push(`rejection: ${reason.constructor.name}`)));
}
const render = async (copy, href) => `${await page.evaluate(([index, address]) => copies[index](address), [copy, href])}, asked ${asked}×`;
const unstyled = 'Prices unstyled, asked 1×';
await open(true);
tell('failed', await render(0, '/design.css'), unstyled);
tell('who is told', (await page.evaluate(() => told)).join(), 'rejection: Event');
fails = false;
tell('failed, then rendered by another root', await render(0, '/design.css'), unstyled);
tell('failed, then rendered by another copy', await render(1, '/design.css'), unstyled);
tell('failed, then under another address', await render(0, '/design.css?2'), 'Prices styled, asked 2×');
await open(false);
tell('loaded', await render(0, '/design.css'), 'Prices styled, asked 1×');
await page.evaluate(() => document.querySelector('link[data-precedence]').remove());
tell('removed, then rendered by another root', await render(0, '/design.css'), unstyled);
await render(1, '/design.css');
await page.waitForFunction(() => getComputedStyle(document.querySelector('div:last-child p')).color === 'rgb(1, 2, 3)');
tell('removed, then rendered by another copy', `styled in the end, asked ${asked}×`, 'styled in the end, asked 2×');
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
