import { expect, test } from 'vitest';
import { DEMO, LANGUAGES, SNIPPETS } from './snippets.ts';

const SITE = 'https://site.example';
const BODY = { key: 'eyJ', hwid: DEMO.hwid };
const IDS = LANGUAGES.map(({ id }) => id);

test.each(IDS)('a GET call in %s requests the address without a body', (id) => {
  const snippet = SNIPPETS[id]({ path: '/api/key?hwid=1' }, SITE);

  expect(snippet).toMatch(/['"]https:\/\/site\.example\/api\/key\?hwid=1['"]/);
  expect(snippet).not.toMatch(/Content-Type|HttpService/);
});

test.each(IDS)('a POST call in %s sends each member of its body to the address', (id) => {
  const snippet = SNIPPETS[id]({ path: '/api/key/verify', body: BODY }, SITE);

  expect(snippet).toContain(`${SITE}/api/key/verify`);
  expect(snippet).toContain('Content-Type');
  expect(snippet).toMatch(/\bkey\b"?\s*[:=] ['"]eyJ['"]/);
  expect(snippet).toMatch(/\bhwid\b"?\s*[:=] ['"]demo-device-0001['"]/);
});

test('the body of a shell’s call is JSON', () => {
  const [, body = ''] = / -d '([^']+)'$/.exec(SNIPPETS.curl({ path: '/', body: BODY }, SITE)) ?? [];

  expect(JSON.parse(body)).toEqual(BODY);
});

test('a Lua call with a body requires HttpService, which encodes the body', () => {
  expect(SNIPPETS.lua({ path: '/', body: BODY }, SITE)).toMatch(
    /^local HttpService = game:GetService\("HttpService"\)\n.*HttpService:JSONEncode\(/s,
  );
});

test.each([{ path: '/' }, { path: '/', body: BODY }])('a Python call also reads an error response: %j', (call) => {
  expect(SNIPPETS.python(call, SITE)).toMatch(
    /except urllib\.error\.HTTPError as (\w+):\n {4}response = \1\nwith response:\n {4}print\(json\.load\(response\)\)$/,
  );
});
