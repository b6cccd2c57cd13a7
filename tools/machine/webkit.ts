import { existsSync, globSync } from 'node:fs';
import { ensureInstalled } from './ensure-installed.ts';

/** How a WebKit of Debian is driven: by a server that speaks W3C WebDriver and starts the browser. */
export interface WebKit {
  driver: string;
  /** The member of the capabilities that has the browser's options. */
  optionsName: string;
  browser: string;
  args: string[];
  needsDisplay: boolean;
}

export const WEBKITS = {
  /** The newest, in a window of the display's size. */
  webkitgtk: {
    driver: '/usr/bin/WebKitWebDriver',
    optionsName: 'webkitgtk:browserOptions',
    browser: newest('/usr/lib/*/webkit2gtk-4.*/MiniBrowser'),
    args: ['--automation', '--full-screen'],
    needsDisplay: true,
  },
  /** On Debian 12 it is of the age of Safari 16.0, the oldest that counts. */
  wpe: {
    driver: '/usr/bin/WPEWebDriver',
    optionsName: 'wpe:browserOptions',
    browser: newest('/usr/lib/*/wpe-webkit-*/MiniBrowser'),
    args: ['--automation', '--headless'],
    needsDisplay: false,
  },
} satisfies Record<string, WebKit>;

function newest(pattern: string): string {
  return globSync(pattern).sort().at(-1) ?? '';
}
