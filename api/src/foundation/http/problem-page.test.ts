import { Router } from 'express';
import { expect, test } from 'vitest';
import { createTestApi, OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import VI from '../../../../translations/vi/api/interstitials.json' with { type: 'json' };

const BROWSER_HEADERS = {
  ...OWN_NAVIGATION,
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
};

/** All requests by which a browser can reach the API and be refused: the status, the title for programs, the heading, and the code for support. */
const REJECTED_REQUESTS = [
  [
    '/api/create-payment?hwid=<script>&zone=z&mode=1',
    400,
    'The device ID is missing or broken',
    'This link is broken',
    'KS_HWID',
  ],
  ['/api/create-payment?hwid=device-1&zone=%0d%0a&mode=1', 400, 'The zone is broken', 'This link is broken', 'KS_ZONE'],
  ['/api/create-payment?hwid=device-1&zone=z&mode=7', 400, 'There’s no such plan', 'There’s no such plan', 'PAY_MODE'],
  ['/download/v5/amiga', 404, 'We don’t know this download', 'We don’t know this download', 'DOWNLOAD_UNKNOWN'],
  ['/download/v5/windows', 404, 'This download isn’t out yet', 'This download isn’t out yet', 'DOWNLOAD_NONE'],
  ['/download/v5', 404, 'Nothing at this address', 'This page doesn’t exist', 'route.not_found'],
  ['/api/keysystem/state?hwid=<script>', 400, 'The device ID is missing or broken', 'This link is broken', 'KS_HWID'],
  ['/api/key?hwid=<script>', 400, 'The device ID is missing or broken', 'This link is broken', 'KS_HWID'],
  ['/api/keysystem/return/%E0%A4%A', 400, 'We can’t read this request', 'This link is broken', 'request.invalid'],
  [
    '/api/keysystem/postback/x',
    403,
    'The advertiser didn’t confirm this step',
    'The advertiser didn’t confirm your step',
    'KS_PROOF',
  ],
  ['/releases/shell/0.0.0/x.js', 404, 'Nothing at this address', 'This page doesn’t exist', 'route.not_found'],
  ['/content/no-such.txt', 404, 'Nothing at this address', 'This page doesn’t exist', 'route.not_found'],
  ['/nothing.txt', 404, 'Nothing at this address', 'This page doesn’t exist', 'route.not_found'],
] as const;

test.each(REJECTED_REQUESTS)(
  '%s is rejected with %i: a program reads “%s”, a browser shows “%s”, support “%s”',
  async (...refused) => {
    const [path, status, title, heading, code] = refused;
    const api = await createTestApi();

    const res = await api.visit(path, BROWSER_HEADERS);
    const page = await res.text();
    expect([res.status, res.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page).toContain(`<h1>${heading}</h1>`);
    expect(page).toMatch(new RegExp(`<p class="details">For support: ${code} \\([0-9a-f-]{36}\\)</p>`));
    expect(page).toContain('href="/index"');

    for (const accept of ['*/*', 'application/json', 'application/problem+json']) {
      const problem = await api.visit(path, { ...OWN_NAVIGATION, accept });
      expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(problem.headers.get('vary')).toContain('Accept');
      expect([problem.status, await problem.json()]).toMatchObject([status, { title, status }]);
    }
  },
);

test('a browser that prefers Vietnamese shows an error in Vietnamese', async () => {
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
  expect(page).toMatch(/<p class="details">Gửi đội hỗ trợ: DOWNLOAD_UNKNOWN \([0-9a-f-]{36}\)<\/p>/);
  expect(page).toContain('href="/v5#downloads">Xem các bản tải</a>');
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

test('a page is in the language that its address names, whatever the cookie says', async () => {
  const api = await createTestApi();

  const res = await api.visit('/nothing.txt?lang=vi', { ...BROWSER_HEADERS, cookie: 'lang=en' });

  expect(await res.text()).toContain('<html lang="vi">');
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
  expect(page).toContain('class="action" href="/v5#downloads"');
});

test('an internal error is shown with its id and a broken key, without its cause', async () => {
  const broken = Router().get('/broken', () => {
    throw new Error('the disk is on fire');
  });
  const api = await createTestApi({ files: [broken] });

  const res = await api.visit('/broken', BROWSER_HEADERS);
  const page = await res.text();

  expect(res.status).toBe(500);
  expect(page).toContain('<h1>Something broke on our side</h1>');
  expect(page).not.toContain('fire');
  expect(page).toContain('clip-path="url(#half-0)"');
  const ref = /[0-9a-f-]{36}/.exec(page)?.[0] ?? 'none';
  expect(api.logged.find((line) => line.includes('fire'))).toContain(ref);
});
