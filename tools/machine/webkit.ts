import { existsSync, globSync } from 'node:fs';
import { ensureInstalled } from './ensure-installed.ts';
import { canRun } from './run.ts';

// The name of WPE's library has its version: a pattern of apt.
const INSTALL =
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
    install: INSTALL,
  });
}

function find(pattern: string): string {
  return globSync(pattern).sort().at(-1) ?? '';
}
