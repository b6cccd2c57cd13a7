#!/usr/bin/env node
// A proxy between Playwright and the system's Firefox, which it starts as Playwright would. Playwright sends commands of
// WebDriver BiDi that only later versions of Firefox have, and gives up at the first refusal; here they do nothing.
import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';
import { dieWithParent } from '../../tools/machine/die-with-parent.mjs';

const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const { FIREFOX } = process.env;
if (!FIREFOX) throw new Error('Firefox is not installed here: apt-get install -y firefox-esr');
const firefox = spawn(...dieWithParent(FIREFOX, process.argv.slice(2)), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('exit', (code) => process.exit(code ?? 1));
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
  process.on(signal, () => firefox.kill(signal));

firefox.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
  const [, address] = LISTENING.exec(text) ?? [];
  if (address) passOn(address);
  else process.stderr.write(text);
});

/** @param {string} address the browser's server */
function passOn(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`);
  });
  server.on('connection', (playwright, { url }) => {
    const browser = new WebSocket(`${address}${url}`);
    const isOpen = new Promise((resolve) => browser.once('open', resolve));
    playwright.on('message', (data) => void isOpen.then(() => browser.send(data, { binary: false })));
    browser.on('message', (/** @type {Buffer} */ data) => playwright.send(omitUnknownOptions(data.toString())));
    // A Playwright that was killed cannot end it.
    playwright.on('close', () => firefox.kill());
    browser.on('close', () => playwright.close());
  });
}

/**
 * @param {string} text an answer or an event
 * @returns {string} the same, or a success instead of a command that is not known
 */
function omitUnknownOptions(text) {
  if (!text.startsWith('{"type":"error"')) return text;

  const { id, error } = JSON.parse(text);
  return error === 'unknown command' ? JSON.stringify({ type: 'success', id, result: {} }) : text;
}
