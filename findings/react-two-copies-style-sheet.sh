#!/usr/bin/env bash
# One would guess: <link rel="stylesheet" precedence="…"> keeps React from showing a part before its styles are there, in
#   whichever copy of react-dom it is rendered; and the sheet is in the page once, as copies look into the document first.
# What happens: a second copy of react-dom that renders a sheet which the first one is still loading shows its part at once,
#   unstyled. It sees the first copy's preload link and takes the sheet for loaded. Both copies then put their own link into
#   the head, and the first part is shown after two loads. Where the first copy has shown its part, the second one
#   uses the sheet that is there. preinit() by both gives one link; the order of precedences holds across copies.
# Why it matters: two widgets, or a host and a remote that do not share react-dom, flash only where they use the same sheet
#   and start together: a design system's. Share react-dom, or load common sheets before the widgets.
# Versions: react and react-dom 19.3.1, Chromium.
# Source: react-dom cjs/react-dom-client.production.js, getResource (looks for the preload link) and suspendResource;
#   https://react.dev/reference/react-dom/components/link#special-rendering-behavior.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund react@19.3.1 react-dom@19.3.1 esbuild@0.28.2 playwright-core@1.65.1
cat > copy.js <<'JS'
import { createElement, Fragment } from 'react';
import { preinit } from 'react-dom';
import { createRoot } from 'react-dom/client';
const part = (href) => createElement(Fragment, null, createElement('link', { rel: 'stylesheet', href, precedence: 'design' }), createElement('p', null, 'Prices'));
(globalThis.copies ??= []).push({ preinit, render: (element, href) => createRoot(element).render(part(href)) });
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const define = { 'process.env.NODE_ENV': '"production"' };
const [{ text: copy }] = buildSync({ entryPoints: ['copy.js'], bundle: true, format: 'iife', define, write: false }).outputFiles;
let release = () => {};
let holds;
const server = createServer(({ url }, response) => {
  if (url === '/')
    return response.setHeader('content-type', 'text/html').end(`<!doctype html><div></div><div></div><script>${copy}</script><script>${copy}</script>`);
  if (url !== '/design.css') return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=60' });
  const answer = () => response.end('p { color: rgb(1, 2, 3) }');
  if (holds) release = answer;
  else answer();
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
/** Notes in which state each part is shown first. */
function watch() {
  globalThis.shown = [];
  document.querySelectorAll('div').forEach((element, index) => new MutationObserver((_changes, observer) => {
    observer.disconnect();
    const isStyled = getComputedStyle(element.firstElementChild).color === 'rgb(1, 2, 3)';
    globalThis.shown.push(`part ${index + 1} ${isStyled ? 'styled' : 'unstyled'}`);
  }).observe(element, { childList: true }));
}
const render = ([copy, part]) => copies[copy].render(document.querySelectorAll('div')[part], '/design.css');
const both = () => globalThis.shown.length === 2;
const links = () => document.querySelectorAll('link[rel="stylesheet"]').length;
for (const [name, held, second, expected] of [
  ['one copy, both at once', true, 0, 'part 1 styled, part 2 styled; 1 link'],
  ['two copies, both at once', true, 1, 'part 1 styled, part 2 unstyled; 2 links'],
  ['two copies, one after the other', false, 1, 'part 1 styled, part 2 styled; 1 link'],
]) {
  const context = await browser.newContext();
  const page = await context.newPage();
  holds = held;
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(watch);
  const asked = page.waitForRequest('**/design.css');
  await page.evaluate(render, [0, 0]);
  await asked;
  if (!held) await page.waitForFunction(() => globalThis.shown.length === 1);
  await page.evaluate(render, [second, 1]);
  // A frame later the second copy has shown its part, or waits for the sheet.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  holds = false;
  release();
  await page.waitForFunction(both);
  const count = await page.evaluate(links);
  const seen = `${(await page.evaluate(() => globalThis.shown)).sort().join(', ')}; ${count} link${count === 1 ? '' : 's'}`;
  await context.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.evaluate(() => copies.forEach(({ preinit }) => preinit('/design.css', { as: 'style', precedence: 'design' })));
const seen = `${await page.evaluate(links)} link`;
const expected = '1 link';
console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  preinit() by two copies: ${seen}`);
if (seen !== expected) process.exitCode = 1;
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
