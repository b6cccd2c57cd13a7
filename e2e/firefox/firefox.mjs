#!/usr/bin/env node
// Playwright starts this as its Firefox. It starts the system's, and passes WebDriver BiDi on between the two: the Firefox
// of a distribution is older than Playwright, so a command that it does not know is answered as one without an effect.
import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';

const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const firefox = spawn(process.env.FIREFOX ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));

firefox.stderr.setEncoding('utf8').on('data', (text) => {
  const [, address] = LISTENING.exec(text) ?? [];
  if (address) passOn(address);
  else process.stderr.write(text);
});

/** @param {string} address of the browser's server */
function passOn(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('listening', () => console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`));
  server.on('connection', (playwright, { url }) => {
    const browser = new WebSocket(address + url);
    const isOpen = new Promise((resolve) => browser.on('open', resolve));
    playwright.on('message', async (data) => {
      await isOpen;
      browser.send(String(data));
    });
    browser.on('message', (data) => playwright.send(withoutUnknown(String(data))));
    playwright.on('close', () => browser.close());
    browser.on('close', () => playwright.close());
  });
}

/** @param {string} text an answer or an event */
function withoutUnknown(text) {
  if (!text.startsWith('{"type":"error"')) return text;
  const { id, error, message } = JSON.parse(text);
  if (process.env.BIDI_LOG) process.stderr.write(`BIDI ${error} ${message}\n`);
  return error === 'unknown command' ? JSON.stringify({ type: 'success', id, result: {} }) : text;
}
