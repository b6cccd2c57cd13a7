import type { ServerResponse } from 'node:http';
import type { Page } from '@playwright/test';
import { serveLossy } from '../fixtures/lossy-proxy.ts';
import { expect, test } from '../fixtures/site.ts';

const INDEX = '<!doctype html><title>Former</title><p></p><script src="/static/js/main.3f2a9c1b.js"></script>';

const MAIN = `document.querySelector('p').textContent = 'The former site';`;

/** Keeps every page and script, as the worker of create-react-app does. */
const WORKER = `
const files = ['/index.html', '/static/js/main.3f2a9c1b.js'];
addEventListener('install', (event) => event.waitUntil(caches.open('kept').then((kept) => kept.addAll(files))));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const kept = event.request.mode === 'navigate' ? '/index.html' : event.request;
  event.respondWith(caches.match(kept).then((found) => found ?? fetch(event.request)));
});`;

/** Opens the site at an address where a former one stood: `end` puts ours in its place. */
async function openFormer(page: Page, site: string) {
  let isThere = true;
  const asked: string[] = [];
  const answer = (url: string, res: ServerResponse) => {
    asked.push(url);
    if (!isThere) return false;
    const [type, caching, text] = url.endsWith('.js')
      ? ['text/javascript', 'no-store', url.startsWith('/static') ? MAIN : WORKER]
      : ['text/html', 'max-age=86400', INDEX];
    res.writeHead(200, { 'content-type': type, 'cache-control': caching }).end(text);
    return true;
  };
  const proxy = await serveLossy(site, answer);
  await page.goto(`${proxy.url}/v5`);
  await expect(page.getByText('The former site')).toBeVisible();
  const end = () => {
    isThere = false;
    asked.length = 0;
  };
  return { proxy, asked, end };
}

const workers = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length).catch(() => undefined);

test('a visitor whose browser has a worker of a former site sees ours, and the worker is gone', async ({
  page,
  site,
}) => {
  const { proxy, end } = await openFormer(page, site.url);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
  });
  end();

  await page.goto(`${proxy.url}/neo?hwid=device-1#downloads`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 20_000 });
  expect(page.url()).toBe(`${proxy.url}/neo?hwid=device-1#downloads`);
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await expect.poll(() => workers(page)).toBe(0);
  proxy.close();
});

test('a cached page of a former site is requested again once', async ({ page, site }) => {
  const { proxy, asked, end } = await openFormer(page, site.url);
  end();
  await page.goto('about:blank');

  await page.goto(`${proxy.url}/v5`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked.filter((url) => url === '/v5')).toHaveLength(1);
  expect(asked[0]).toBe('/static/js/main.3f2a9c1b.js');
  proxy.close();
});
