#!/usr/bin/env bash
# One would guess: <ViewTransition> of React 19.3 belongs to its root: two parts of a page, with a react-dom each, change
#   when their own state does; the host's own document.startViewTransition() is the host's.
# What happens: a part's transition waits until the animation of the other part has ended, also between two copies of
#   react-dom: they find each other by a property that React leaves on the document. New content of the second part is
#   not in the page meanwhile. An update outside of startTransition is not held up. Where the host starts a view
#   transition by itself, nobody waits: a part's transition ends the host's animation at once, and the host's ends the
#   part's.
# Why it matters: a long animation in one unit makes another unit's navigation look slow, and no profile of that unit
#   shows why. Keep animations short, and let one side of a page, host or units, own view transitions.
# Versions: react and react-dom 19.3.1, Chromium.
# Source: react-dom cjs/react-dom-client.production.js, document.__reactViewTransition; https://react.dev/reference/react/ViewTransition;
#   CSS View Transitions 1 (a new transition skips the one that is running).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund react@19.3.1 react-dom@19.3.1 esbuild@0.28.2 playwright-core@1.65.1
cat > copy.js <<'JS'
import { createElement, startTransition, useState, ViewTransition } from 'react';
import { createRoot } from 'react-dom/client';
globalThis.log = [];
const mount = (name) => {
  let set;
  const Part = () => {
    const [text, setText] = useState('old');
    set = setText;
    return createElement(ViewTransition, null, createElement('p', { key: text }, `${name} ${text}`));
  };
  const element = document.body.appendChild(document.createElement('div'));
  new MutationObserver(() => element.textContent.includes('new') && log.push(element.textContent)).observe(element, { childList: true });
  createRoot(element).render(createElement(Part));
  return { change: () => startTransition(() => set('new')), changeAtOnce: () => set('new'), element };
};
(globalThis.copies ??= []).push(mount);
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const define = { 'process.env.NODE_ENV': '"production"' };
const [{ text: copy }] = buildSync({ entryPoints: ['copy.js'], bundle: true, format: 'iife', define, write: false }).outputFiles;
const style = '<style>::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: 1.5s }</style>';
const html = `<!doctype html>${style}<body><h1>Host</h1><script>${copy}</script><script>${copy}</script></body>`;
const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html)).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
/** Starts the first change, the second one once it animates, and logs what is in the page when. */
async function play([second, how]) {
  const until = async (condition) => {
    while (!condition()) await new Promise(requestAnimationFrame);
  };
  const animations = () => document.getAnimations().filter(({ effect }) => effect.pseudoElement?.startsWith('::view-transition'));
  const notice = async () => {
    await until(() => animations().length > 0);
    Promise.all(animations().map(({ finished }) => finished)).then(() => log.push('animation ends'), () => log.push('animation is cut off'));
  };
  const host = () => document.startViewTransition(() => log.push('host new')).ready.catch(() => {});
  const [a, b] = [copies[0]('a'), second === 'host' ? { change: host } : copies[second]('b')];
  await until(() => a.element.textContent && b.element?.textContent !== '');
  const [first, next] = how === 'host first' ? [b, a] : [a, b];
  first.change();
  await notice();
  if (how === 'at once') next.changeAtOnce();
  else next.change();
  await until(() => log.some((line) => line.startsWith('animation')) && log.filter((line) => line.endsWith('new')).length === 2);
  return log.join(', ');
}
const waits = 'a new, animation ends, b new';
for (const [name, how, expected] of [
  ['two roots of one copy', [0], waits],
  ['two copies', [1], waits],
  ['two copies, without startTransition', [1, 'at once'], 'a new, b new, animation ends'],
  ['the host after a part', ['host'], 'a new, animation is cut off, host new'],
  ['a part after the host', ['host', 'host first'], 'host new, animation is cut off, a new'],
]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const seen = await page.evaluate(play, how);
  await page.close();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
