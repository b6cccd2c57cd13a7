#!/usr/bin/env bash
# One would guess: 103 Early Hints are a faster <link rel="preload">: what they name is asked for once; and a proxy that
#   knows nothing of them leaves them out.
# What happens: the hinted entry of a remote is asked for once. Its manifest is asked for twice where it may not be used
#   without asking (no-cache, no-store), as manifests are at an address without a version: what a hint has loaded comes by the
#   HTTP cache alone, where the link's answer is used all the same. Behind nginx a page with hints does not
#   load: it takes the 103 for the answer, so in HTTP/2 Chromium says ERR_HTTP2_PROTOCOL_ERROR, and with kept upstream
#   connections only after the seconds for which the server keeps them. In HTTP/1.1 the page comes, because the
#   bytes happen to be in order. HAProxy hands them on, and Caddy 2.6 does.
# Why it matters: response.writeEarlyHints() that works in development takes a site behind nginx of Debian 12 or 13
#   away. nginx knows hints from 1.29. Hint at addresses with a version only.
# Versions: Node, Chromium, nginx 1.22 and 1.26 (NGINX names another), HAProxy 2.6 and 3.0 (HAPROXY), openssl.
#   Caddy 2.6.2 and the newer two were tried by hand.
# Source: RFC 8297; https://developer.chrome.com/docs/web-platform/early-hints; CHANGES of nginx, 1.29.0 (early_hints).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @module-federation/runtime@2.9.3 esbuild@0.28.2 playwright-core@1.65.1
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 2> /dev/null
cat key.pem cert.pem > both.pem
# With any other way round its check Chromium would keep nothing in its cache.
key=$(openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)
cat > host.js <<'JS'
import { createInstance } from '@module-federation/runtime';
const host = createInstance({ name: 'host', remotes: [{ name: 'shop', entry: `${location.origin}/mf-manifest.json` }] });
host.loadRemote('shop/page').then((page) => (document.title = page.title));
JS
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { connect, createServer as createSocket } from 'node:net';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';

const [{ text: host }] = buildSync({ entryPoints: ['host.js'], bundle: true, format: 'iife', write: false }).outputFiles;
const entry = "var shop = { init() {}, get: async () => () => ({ title: 'shop' }) };";
const files = { sync: [], async: [] };
const manifest = JSON.stringify({
  id: 'shop', name: 'shop', shared: [], remotes: [], exposes: [{ id: 'shop:page', name: 'page', path: './page', assets: { js: files, css: files } }],
  metaData: { name: 'shop', type: 'app', buildInfo: {}, types: {}, globalName: 'shop', publicPath: 'auto', remoteEntry: { name: 'entry.js', path: '', type: 'global' } },
});
const LINKS = ['</mf-manifest.json>; rel=preload; as=fetch; crossorigin', '</entry.js>; rel=preload; as=script'];
const ELEMENTS = '<link rel="preload" as="fetch" crossorigin href="/mf-manifest.json"><link rel="preload" as="script" href="/entry.js">';
let asked = [];
let keeps;
let isHinted;
function answer(request, response) {
  asked.push(request.url);
  if (request.url === '/') {
    if (isHinted) response.writeEarlyHints({ link: LINKS });
    response.setHeader('content-type', 'text/html');
    // So that what is hinted comes before the page.
    return setTimeout(() => response.end(`${isHinted ? '' : ELEMENTS}<script>${host}</script>`), 300);
  }
  if (request.url === '/entry.js') return response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=60' }).end(entry);
  if (request.url !== '/mf-manifest.json') return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': keeps }).end(manifest);
}
const direct = createSecureServer({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }, answer).listen(0, '127.0.0.1');
const upstream = createServer(answer).listen(0, '127.0.0.1');
await Promise.all([once(direct, 'listening'), once(upstream, 'listening')]);
async function free() {
  const server = createSocket().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
}
const ports = { 'a server of HTTP/2': direct.address().port, nginx: await free(), 'nginx with kept connections': await free(), HAProxy: await free() };
const to = `127.0.0.1:${upstream.address().port}`;
mkdirSync('temp');
const kept = 'proxy_http_version 1.1; proxy_set_header Connection "";';
const site = (name, lines) => `server { listen 127.0.0.1:${ports[name]} ssl http2; location / { proxy_pass http://${to}; ${lines} } }`;
const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path temp/${name};`).join(' ');
writeFileSync('nginx.conf', `daemon off; pid nginx.pid; error_log stderr crit; events {} http { access_log off; ${folders}
  ssl_certificate cert.pem; ssl_certificate_key key.pem; ${site('nginx', '')} ${site('nginx with kept connections', kept)} }`);
writeFileSync('haproxy.cfg', `defaults
  mode http
  timeout connect 9s
  timeout client 60s
  timeout server 60s
listen site
  bind 127.0.0.1:${ports.HAProxy} ssl crt both.pem alpn h2
  server server ${to}
`);
const proxies = [
  spawn(process.env.NGINX ?? '/usr/sbin/nginx', ['-p', `${process.cwd()}/`, '-c', 'nginx.conf'], { stdio: 'ignore' }),
  spawn(process.env.HAPROXY ?? '/usr/sbin/haproxy', ['-db', '-f', 'haproxy.cfg'], { stdio: 'ignore' }),
];
async function listens(port) {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(() => true, () => false);
  socket.destroy();
  if (!isThere) await new Promise((resolve) => setTimeout(resolve, 100)).then(() => listens(port));
}
await Promise.all(Object.values(ports).map(listens));
const browser = await chromium.launchPersistentContext('', {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: `--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --ignore-certificate-errors-spki-list=${process.argv[2]}`.split(' '),
});
console.log(`Chromium ${browser.browser().version()}`);
/** @returns what was asked for, or the error. Anew where another network of the machine came or went. */
async function open(name) {
  const page = await browser.newPage();
  const session = await browser.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  asked = [];
  const error = await page.goto(`https://127.0.0.1:${ports[name]}/`).then(() => '', ({ message }) => /net::\w+/.exec(message)[0]);
  if (error === '') await page.waitForFunction(() => document.title === 'shop');
  await page.close();
  if (error === 'net::ERR_NETWORK_CHANGED') return open(name);
  const count = (path) => asked.filter((url) => url === path).length;
  return error || `entry asked for ${count('/entry.js')} time(s), manifest ${count('/mf-manifest.json')}`;
}
const one = 'entry asked for 1 time(s), manifest 1';
const twice = 'entry asked for 1 time(s), manifest 2';
for (const [name, hints, cacheControl, expected] of [
  ['a server of HTTP/2', false, 'no-cache', one],
  ['a server of HTTP/2', true, 'no-cache', twice],
  ['a server of HTTP/2', true, 'no-store', twice],
  ['a server of HTTP/2', true, 'max-age=60', one],
  ['HAProxy', true, 'max-age=60', one],
  ['nginx', false, 'max-age=60', one],
  ['nginx', true, 'max-age=60', 'net::ERR_HTTP2_PROTOCOL_ERROR'],
  ['nginx with kept connections', true, 'max-age=60', 'net::ERR_HTTP2_PROTOCOL_ERROR'],
]) {
  isHinted = hints;
  keeps = cacheControl;
  const seen = await open(name);
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}, ${hints ? '103' : 'link elements'}, manifest ${cacheControl}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
await browser.close();
for (const proxy of proxies) proxy.kill();
upstream.closeAllConnections();
upstream.close();
direct.close();
JS
node run.mjs "$key"
