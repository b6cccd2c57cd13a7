#!/usr/bin/env bash
# One would guess: createRemoteAppComponent() of the federation's bridge is a React component like others. Its remote gets the
#   props that the host gives; the resetErrorBoundary that its fallback gets, or at least leaving the page and coming back,
#   loads a remote that failed once more, and the fallback shows the remote's own errors, too; an Activity that
#   hides it stops its effects, and its removal ends it; the host's router does not notice it.
# What happens: a remote that failed is never asked for again (React.lazy is made once, beside the component); what the remote
#   throws is shown by the bridge's own text. With the bridge's `base`, a prop that comes or goes after the first
#   render does not reach the remote: the effect's dependencies are the props' values, and React compares only as many as
#   both times had. In an Activity that was hidden and shown, the remote's effects run while it is hidden again, and for ever
#   after it was removed: its timers, its sockets. When a route inside the remote changes, the host's React Router gets a made
#   popstate after its own PUSH: useNavigationType() says POP, and whatever goes by it (scroll, transitions) takes the
#   step for the back button.
# Why it matters: all of them hit the host, whose team did not write the bridge; after a log-out that leaves `user` out the
#   remote shows the user. Give each prop always, undefined or not; load by a loader that tries again itself, give the
#   component another one from createRemoteAppComponent() for another try, and keep bridged remotes out of Activity.
# Versions: @module-federation/bridge-react 2.8.2, react and react-dom 19.3.1, react-router-dom 7.18.7, Chromium.
# Source: bridge-react dist/createHelpers-*.mjs (createLazyRemoteComponentFactory; the effect that returns early when
#   `initialized`), dist/index.es.js (withRouterData); https://module-federation.io/practice/bridge/react-bridge/load-app.html.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @module-federation/bridge-react@2.8.2 react@19.3.1 react-dom@19.3.1 react-router-dom@7.18.7 \
  esbuild@0.28.2 playwright-core@1.65.1
cat > host.js <<'JS'
import { Activity, createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { createRemoteAppComponent } from '@module-federation/bridge-react';
import { createRemoteAppComponent as createBase } from '@module-federation/bridge-react/base';
import { createBridgeComponent } from '@module-federation/bridge-react/v19';
import { BrowserRouter, Route, Routes, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

globalThis.asked = 0;
globalThis.fails = false;
globalThis.running = 0;
globalThis.moves = [];
function Shop({ user, plan, breaks }) {
  if (breaks) throw new Error('of the remote');
  useEffect(() => {
    globalThis.running += 1;
    return () => (globalThis.running -= 1);
  }, []);
  return createElement('p', null, `user ${user}, plan ${plan}`);
}
const provider = createBridgeComponent({ rootComponent: Shop });
const info = {
  loader: async () => {
    globalThis.asked += 1;
    if (globalThis.fails) throw new Error('503');
    return { default: provider };
  },
  fallback: ({ resetErrorBoundary }) => createElement('button', { onClick: resetErrorBoundary }, 'Try again'),
};
const Remote = createRemoteAppComponent(info);
const Base = createBase(info);
function Watch() {
  const type = useNavigationType();
  const location = useLocation();
  globalThis.go = useNavigate();
  useEffect(() => void globalThis.moves.push(`${type} ${location.pathname}`), [location]);
}
const root = createRoot(document.querySelector('div'));
const render = (element) => flushSync(() => root.render(element));
globalThis.views = {
  remote: (props) => render(createElement(Remote, props)),
  base: (props) => render(createElement(Base, props)),
  visible: () => render(createElement(Activity, { mode: 'visible' }, createElement(Remote))),
  hidden: () => render(createElement(Activity, { mode: 'hidden' }, createElement(Remote))),
  nothing: () => render(null),
  router: () =>
    render(
      createElement(
        BrowserRouter,
        null,
        createElement(Watch),
        createElement(Routes, null, createElement(Route, { path: '/shop/*', element: createElement(Remote) }), createElement(Route, { path: '*' })),
      ),
    ),
};
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const define = { 'process.env.NODE_ENV': '"production"' };
const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', define, write: false, logLevel: 'error' }).outputFiles;
const server = createServer(({ url }, response) => {
  if (url === '/host.js') return response.setHeader('content-type', 'text/javascript').end(host);
  response.setHeader('content-type', 'text/html').end('<!doctype html><div></div><script src="/host.js"></script>');
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
const page = await browser.newPage();
const show = (view, props) => page.evaluate(([name, given]) => views[name](given), [view, props]);
const shop = () => page.waitForFunction(() => globalThis.running === 1 && document.querySelector('p') !== null);
/** Long enough for an effect, a timer and a load without a network. */
const settle = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))));
const running = async () => {
  await settle();
  return page.evaluate(() => `${globalThis.running} running`);
};
async function walk(views) {
  const seen = [];
  for (const view of views) {
    await show(view);
    if (seen.length === 0) await shop();
    seen.push(`${view} ${await running()}`);
  }
  return seen.join(', ');
}
async function fail() {
  await page.evaluate(() => (globalThis.fails = true));
  await show('remote');
  await page.waitForSelector('button');
  await page.evaluate(() => (globalThis.fails = false));
}
const tried = async () => {
  await settle();
  return `${await page.innerText('div')}, asked for ${await page.evaluate(() => globalThis.asked)} time(s)`;
};
async function again() {
  await fail();
  await page.click('button');
  return tried();
}
async function back() {
  await fail();
  await show('nothing');
  await show('remote');
  return tried();
}
async function give(view) {
  const seen = [];
  for (const props of [{ plan: 'gold' }, { plan: 'gold', user: 'Ada' }, { plan: 'none', user: 'Ada' }, { plan: 'none' }]) {
    await show(view, props);
    if (seen.length === 0) await shop();
    await settle();
    seen.push(await page.innerText('p'));
  }
  return seen.join('; ');
}
async function breaks() {
  await show('remote', { breaks: true });
  await page.waitForFunction(() => document.querySelector('div').innerText !== '');
  return (await page.innerText('div')).split('\n')[0];
}
async function moves() {
  await show('router');
  for (const path of ['/shop/a', '/shop/b']) {
    await page.evaluate((to) => globalThis.go(to), path);
    await settle();
  }
  return page.evaluate(() => globalThis.moves.join(', '));
}
for (const [name, run, expected] of [
  ['failed, then resetErrorBoundary', again, 'Try again, asked for 1 time(s)'],
  ['failed, then left and come back', back, 'Try again, asked for 1 time(s)'],
  ['throws while it renders', breaks, 'Something went wrong:'],
  ['props, with the router', () => give('remote'), 'user undefined, plan gold; user Ada, plan gold; user Ada, plan none; user undefined, plan none'],
  ['props, base', () => give('base'), 'user undefined, plan gold; user undefined, plan gold; user Ada, plan none; user Ada, plan none'],
  ['without an Activity', () => walk(['remote', 'nothing']), 'remote 1 running, nothing 0 running'],
  ['in an Activity', () => walk(['visible', 'hidden', 'visible', 'hidden', 'nothing']), 'visible 1 running, hidden 0 running, visible 1 running, hidden 1 running, nothing 1 running'],
  ["the host's router", moves, 'POP /, PUSH /shop/a, PUSH /shop/b, POP /shop/b'],
]) {
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const seen = await run();
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
