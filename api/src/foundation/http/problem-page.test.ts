import { Router } from 'express';
import { expect, test } from 'vitest';
import { createTestApi, OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import { escapeHtml } from './html.ts';
import VI from '../../../../translations/vi/api/interstitials.json' with { type: 'json' };

const BROWSER_HEADERS = {
  ...OWN_NAVIGATION,
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
};

/** All requests by which a browser can reach the API and be refused: the status, what support reads, and the heading. */
const REJECTED_REQUESTS = [
  ['/api/create-payment?hwid=<script>&zone=z&mode=1', 400, 'The device ID is missing or broken', 'This link is broken'],
  ['/api/create-payment?hwid=device-1&zone=%0d%0a&mode=1', 400, 'The zone is broken', 'This link is broken'],
  ['/api/create-payment?hwid=device-1&zone=z&mode=7', 400, 'There’s no such plan', 'There’s no such plan'],
  ['/download/v5/amiga', 404, 'This download isn’t out yet', 'This download isn’t out yet'],
  ['/download/v5', 404, 'Nothing at this address', 'This page doesn’t exist'],
  ['/api/keysystem/state?hwid=<script>', 400, 'The device ID is missing or broken', 'This link is broken'],
  ['/api/key?hwid=<script>', 400, 'The device ID is missing or broken', 'This link is broken'],
  ['/api/keysystem/return/%E0%A4%A', 400, 'We can’t read this request', 'This link is broken'],
  [
    '/api/keysystem/postback/x',
    403,
    'The advertiser didn’t confirm this step',
    'The advertiser didn’t confirm your step',
  ],
  ['/releases/shell/0.0.0/x.js', 404, 'Nothing at this address', 'This page doesn’t exist'],
  ['/content/no-such.txt', 404, 'Nothing at this address', 'This page doesn’t exist'],
  ['/nothing.txt', 404, 'Nothing at this address', 'This page doesn’t exist'],
] as const;

test.each(REJECTED_REQUESTS)('%s is rejected with %i: support reads “%s”, a browser shows “%s”', async (...refused) => {
  const [path, status, title, heading] = refused;
  const api = await createTestApi();

  const res = await api.visit(path, BROWSER_HEADERS);
  const page = await res.text();
  expect([res.status, res.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page).toContain(`<h1>${heading}</h1>`);
  expect(page).toMatch(new RegExp(`<p class="details">For support: ${escapeHtml(title)} \\([0-9a-f-]{36}\\)</p>`));
  expect(page).toContain('href="/index"');

  for (const accept of ['*/*', 'application/json', 'application/problem+json']) {
    const problem = await api.visit(path, { ...OWN_NAVIGATION, accept });
    expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(problem.headers.get('vary')).toContain('Accept');
    expect([problem.status, await problem.json()]).toMatchObject([status, { title, status }]);
  }
});

test('a browser that prefers Vietnamese shows an error in Vietnamese, and support gets its English title', async () => {
  const api = await createTestApi();

  const res = await api.visit('/download/v5/amiga', {
    ...BROWSER_HEADERS,
    'accept-language': 'vi-VN,vi;q=0.9,en;q=0.5',
  });
  const page = await res.text();

  expect(page).toContain('<html lang="vi">');
  expect(Object.values(VI.problem.texts).map((words) => `<h1>${words.title}</h1>`)).toContain(
    /<h1>.*<\/h1>/.exec(page)?.[0],
  );
  expect(page).toMatch(/<p class="details">Gửi đội hỗ trợ: This download isn’t out yet \([0-9a-f-]{36}\)<\/p>/);
  expect(page).toContain('>Về trang chủ</a>');
});

test.each([
  ['lang=vi', 'en', 'vi', 'Không có trang này'],
  ['lang=en', 'vi', 'en', 'This page doesn’t exist'],
  ['lang=xx', 'vi', 'vi', 'Không có trang này'],
])('with the cookie %s and a browser that prefers "%s", the page is in "%s"', async (cookie, accept, lang, heading) => {
  const api = await createTestApi();

  const res = await api.visit('/nothing.txt', { ...BROWSER_HEADERS, cookie, 'accept-language': accept });
  const page = await res.text();

  expect(page).toContain(`<html lang="${lang}">`);
  expect(page).toContain(`<h1>${heading}</h1>`);
});

test('the link of an error page leads back to our referring page with its query', async () => {
  const api = await createTestApi();

  const page = await (
    await api.visit('/download/v5/amiga', { ...BROWSER_HEADERS, referer: `${api.origin}/v5?hwid=device-1&zone=z` })
  ).text();

  expect(page).toContain(`href="${api.origin}/v5?hwid=device-1&amp;zone=z"`);
});

test.each([
  'https://evil.example/v5',
  'https://evil.example/%HOST%',
  'https://%HOST%@evil.example/',
  'javascript:evil',
  'javascript://%HOST%/%0aevil',
  'nonsense',
])('the link of an error page never leads to %s', async (referer) => {
  const api = await createTestApi();

  const page = await (
    await api.visit('/download/v5/amiga', {
      ...BROWSER_HEADERS,
      referer: referer.replace('%HOST%', new URL(api.origin).host),
    })
  ).text();

  expect(page).not.toContain('evil');
  expect(page).toContain('href="/index"');
});

test('an internal error is shown with its id, without its cause', async () => {
  const broken = Router().get('/broken', () => {
    throw new Error('the disk is on fire');
  });
  const api = await createTestApi({ files: [broken] });

  const res = await api.visit('/broken', BROWSER_HEADERS);
  const page = await res.text();

  expect(res.status).toBe(500);
  expect(page).toContain('<h1>Something broke on our side</h1>');
  expect(page).not.toContain('fire');
  const ref = /[0-9a-f-]{36}/.exec(page)?.[0] ?? 'none';
  expect(api.logged.find((line) => line.includes('fire'))).toContain(ref);
});
