import { Router } from 'express';
import { expect, test } from 'vitest';
import { createTestApi, OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import { escapeHtml } from './html.ts';
import VI from '../../../../translations/vi/api/interstitials.json' with { type: 'json' };

const BROWSER = {
  ...OWN_NAVIGATION,
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
};

/** All requests by which a browser can reach the API and be refused. */
const REFUSED = [
  {
    path: '/api/create-payment?hwid=<script>&zone=z&mode=1',
    status: 400,
    title: 'The device ID is missing or broken',
    heading: 'This link is broken',
  },
  {
    path: '/api/create-payment?hwid=device-1&zone=%0d%0a&mode=1',
    status: 400,
    title: 'The zone is broken',
    heading: 'This link is broken',
  },
  {
    path: '/api/create-payment?hwid=device-1&zone=z&mode=7',
    status: 400,
    title: 'There’s no such plan',
    heading: 'There’s no such plan',
  },
  {
    path: '/download/v5/amiga',
    status: 404,
    title: 'This download isn’t out yet',
    heading: 'This download isn’t out yet',
  },
  { path: '/download/v5', status: 404, title: 'Nothing at this address', heading: 'Nothing here' },
  {
    path: '/api/keysystem/state?hwid=<script>',
    status: 400,
    title: 'The device ID is missing or broken',
    heading: 'This link is broken',
  },
  {
    path: '/api/key?hwid=<script>',
    status: 400,
    title: 'The device ID is missing or broken',
    heading: 'This link is broken',
  },
  {
    path: '/api/keysystem/return/%E0%A4%A',
    status: 400,
    title: 'We can’t read this request',
    heading: 'This link is broken',
  },
  {
    path: '/api/keysystem/postback/x',
    status: 403,
    title: 'The advertiser didn’t confirm this step',
    heading: 'The advertiser didn’t confirm your step',
  },
  {
    path: '/releases/shell/0.0.0/x.js',
    status: 404,
    title: 'Nothing at this address',
    heading: 'Nothing here',
  },
  { path: '/content/no-such.txt', status: 404, title: 'Nothing at this address', heading: 'Nothing here' },
  { path: '/nothing.txt', status: 404, title: 'Nothing at this address', heading: 'Nothing here' },
];

test.each(REFUSED)(
  'a browser at $path reads "$heading", and support reads "$title"',
  async ({ path, status, title, heading }) => {
    const api = await createTestApi();

    const res = await api.visit(path, BROWSER);
    const page = await res.text();

    expect(res.status).toBe(status);
    expect(res.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain(`<h1>${heading}</h1>`);
    expect(page).toMatch(
      new RegExp(`<p class="details">Asking support\\? Send them this: ${escapeHtml(title)} \\([0-9a-f-]{36}\\)</p>`),
    );
    expect(page).toContain('href="/index"');
  },
);

test.each(REFUSED)(
  'a browser that prefers Vietnamese reads of $path in Vietnamese, and support reads "$title"',
  async ({ path, status, title, heading }) => {
    const api = await createTestApi();

    const res = await api.visit(path, { ...BROWSER, 'accept-language': 'vi-VN,vi;q=0.9,en;q=0.5' });
    const page = await res.text();

    expect(res.status).toBe(status);
    expect(page).toContain('<html lang="vi">');
    expect(page).not.toContain(`<h1>${heading}</h1>`);
    expect(Object.values(VI.problem.texts).map((words) => `<h1>${words.title}</h1>`)).toContain(
      /<h1>.*<\/h1>/.exec(page)?.[0],
    );
    expect(page).toMatch(
      new RegExp(
        `<p class="details">Cần hỏi đội hỗ trợ\\? Gửi kèm dòng này: ${escapeHtml(title)} \\([0-9a-f-]{36}\\)</p>`,
      ),
    );
    expect(page).toContain('>Về trang chủ</a>');
  },
);

test.each([
  ['lang=vi', 'en', 'vi', 'Ở đây không có gì'],
  ['lang=en', 'vi', 'en', 'Nothing here'],
  ['lang=xx', 'vi', 'vi', 'Ở đây không có gì'],
])('with the cookie %s and a browser that prefers "%s", the page is in "%s"', async (cookie, accept, lang, heading) => {
  const api = await createTestApi();

  const res = await api.visit('/nothing.txt', { ...BROWSER, cookie, 'accept-language': accept });
  const page = await res.text();

  expect(page).toContain(`<html lang="${lang}">`);
  expect(page).toContain(`<h1>${heading}</h1>`);
});

test.each(REFUSED)('a program at $path gets the same as a problem', async ({ path, status, title }) => {
  const api = await createTestApi();

  for (const accept of ['*/*', 'application/json', 'application/problem+json']) {
    const res = await api.visit(path, { ...OWN_NAVIGATION, accept });

    expect(res.status).toBe(status);
    expect(res.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(res.headers.get('vary')).toContain('Accept');
    expect(await res.json()).toMatchObject({ title, status });
  }
});

test('the way out leads back to the page that one came from, with what it knew of the device', async () => {
  const api = await createTestApi();

  const page = await (
    await api.visit('/download/v5/amiga', { ...BROWSER, referer: `${api.origin}/v5?hwid=device-1&zone=z` })
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
])('the way out never leads to %s', async (referer) => {
  const api = await createTestApi();

  const page = await (
    await api.visit('/download/v5/amiga', { ...BROWSER, referer: referer.replace('%HOST%', new URL(api.origin).host) })
  ).text();

  expect(page).not.toContain('evil');
  expect(page).toContain('href="/index"');
});

test('a failure of our own names itself to the visitor, and not its cause', async () => {
  const broken = Router().get('/broken', () => {
    throw new Error('the disk is on fire');
  });
  const api = await createTestApi({ files: [broken] });

  const res = await api.visit('/broken', BROWSER);
  const page = await res.text();

  expect(res.status).toBe(500);
  expect(page).toContain('<h1>Something broke on our side</h1>');
  expect(page).not.toContain('fire');
  const ref = /[0-9a-f-]{36}/.exec(page)?.[0] ?? 'none';
  expect(api.logged.find((line) => line.includes('fire'))).toContain(ref);
});
