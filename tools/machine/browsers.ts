import { existsSync, globSync } from 'node:fs';
import { ensureInstalled } from './ensure-installed.ts';
import { canRun } from './run.ts';

/**
 * Chromium without a window. It is preferred, because it has the same engine and needs about half the processor time.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const CHROMIUMS = [
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
  return [process.env['CHROMIUM'], ...CHROMIUMS].find((path) => path && existsSync(path)) ?? '';
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
    install: 'apt-get update && apt-get install -y chromium-headless-shell || apt-get install -y chromium',
  });
}

const FIREFOXES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** The path of the system's Firefox: $FIREFOX, or the first that exists of the usual places. Empty when there is none. */
function firefoxPath(): string {
  return [process.env['FIREFOX'], ...FIREFOXES].find((path) => path && existsSync(path)) ?? '';
}

/** How Playwright drives the system's Firefox, which is none that Playwright has built: by WebDriver BiDi. */
export function firefoxOptions() {
  return {
    channel: 'moz-firefox',
    executablePath: 'e2e/firefox/firefox.mjs',
    env: { ...process.env, FIREFOX: firefoxPath() },
    // Scrollbars of a phone, which take no width.
    firefoxUserPrefs: { 'ui.useOverlayScrollbars': 1 },
  };
}

export function ensureFirefox(): Promise<void> {
  return ensureInstalled({
    need: 'The browser tests need Firefox',
    isThere: () => firefoxPath() !== '',
    install: 'apt-get update && apt-get install -y --no-install-recommends firefox-esr || apt-get install -y firefox',
  });
}

// The name of WPE's library has its version: a pattern of apt.
const INSTALL_WEBKITS =
  "apt-get update && apt-get install -y --no-install-recommends webkit2gtk-driver xvfb wpewebkit-driver '^libwpewebkit-[0-9.]+-[0-9]+$' libgl1-mesa-dri";

/** The WebKits of Debian: programs that speak W3C WebDriver, and the browsers for tests that they start. */
export function webKits() {
  return {
    webkitgtk: {
      driver: '/usr/bin/WebKitWebDriver',
      optionsName: 'webkitgtk:browserOptions',
      options: { binary: find('/usr/lib/*/webkit2gtk-4.*/MiniBrowser'), args: ['--automation', '--full-screen'] },
      needsDisplay: true,
    },
    /** In Debian 12 it is as old as Safari 16.0, the oldest that counts. Its window has a size of its own. */
    wpe: {
      driver: '/usr/bin/WPEWebDriver',
      optionsName: 'wpe:browserOptions',
      options: { binary: find('/usr/lib/*/wpe-webkit-*/MiniBrowser'), args: ['--automation', '--headless'] },
      needsDisplay: false,
    },
  };
}

export function ensureWebKits(): Promise<void> {
  return ensureInstalled({
    need: 'The browser tests need WebKit, as WebKitGTK with a virtual display and as WPE',
    isThere: () =>
      canRun('Xvfb', ['-help']) &&
      Object.values(webKits()).every(({ driver, options }) => existsSync(driver) && existsSync(options.binary)),
    install: INSTALL_WEBKITS,
  });
}

function find(pattern: string): string {
  return globSync(pattern).sort().at(-1) ?? '';
}
