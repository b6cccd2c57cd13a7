import type { Browser, BrowserContext, Page } from 'playwright-core';

/** The network of a phone on a slow connection: 150 ms latency, 1.6 Mbit/s down, 0.75 Mbit/s up. */
const LINE = { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: (0.75 * 1e6) / 8 };
/** The phone's processor is this many times slower than the machine's. */
const CPU_SLOWDOWN = 4;
const PHONE = { width: 360, height: 740 };

/** Opens a browser on a phone that has kept nothing. */
export function newPhone(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: PHONE });
}

/** Opens a page with a slow connection and a slow processor. */
export async function openSlowPage(phone: BrowserContext): Promise<Page> {
  const page = await phone.newPage();
  const cdp = await phone.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return page;
}

/** Lets a page be used in a new browser on a phone with a slow connection. */
export async function onPhone<Result>(browser: Browser, use: (page: Page) => Promise<Result>): Promise<Result> {
  const phone = await newPhone(browser);
  try {
    return await use(await openSlowPage(phone));
  } finally {
    await phone.close();
  }
}
