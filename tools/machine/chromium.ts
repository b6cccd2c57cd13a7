import { existsSync } from 'node:fs';
import { ensureInstalled } from './ensure-installed.ts';

const INSTALL = 'apt-get update && apt-get install -y chromium-headless-shell || apt-get install -y chromium';

/**
 * Chromium without a window. It is preferred, because it has the same engine and needs about half the processor time.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const PLACES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The path of the system's Chromium: $CHROMIUM, or the first that exists of the usual places. Empty when there is none.
 */
export function chromiumPath(): string {
  return [process.env['CHROMIUM'], ...PLACES].find((path) => path && existsSync(path)) ?? '';
}

/**
 * The browser that people have, for measurements: the first layout of Chromium without a window takes longer. Where there
 * is none, it is the one without a window.
 */
export function browserPath(): string {
  return [process.env['CHROMIUM'], '/usr/bin/chromium'].find((path) => path && existsSync(path)) ?? chromiumPath();
}

/**
 * How Playwright starts the system's Chromium. Without one it looks for a browser of its own.
 */
export function launchOptions() {
  const executablePath = chromiumPath();
  return {
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A document that a journey has changed on its way may open sockets to this machine.
      '--disable-features=LocalNetworkAccessChecks',
    ],
  };
}

/** Makes sure that a browser is installed, the one without a window where it can be. */
export function ensureChromium(): Promise<void> {
  return ensureInstalled({
    need: 'The browser tests need Chromium',
    isThere: () => chromiumPath() !== '',
    install: INSTALL,
  });
}
