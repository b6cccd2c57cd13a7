import { existsSync } from 'node:fs';
import { ensureInstalled } from './ensure-installed.ts';

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** The path of the system's Firefox: $FIREFOX, or the first that exists of the usual places. Empty when there is none. */
function firefoxPath(): string {
  return [process.env['FIREFOX'], ...PLACES].find((path) => path && existsSync(path)) ?? '';
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
