/**
 * The oldest browsers in which everything works. What is built uses no syntax that one of them lacks; the journey
 * `oldest-browsers` takes from pages what else they lack. Older ones get the pages that are rendered ahead alone.
 */
export const OLDEST_BROWSERS = { chrome: '100', firefox: '115', safari: '16.0' } as const;

export const OLDEST_BROWSERS_QUERY = Object.entries(OLDEST_BROWSERS).map((browser) => browser.join(' '));
