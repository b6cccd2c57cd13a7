import { expect, test } from 'vitest';
import { DEMO, LANGUAGES, SNIPPETS } from './snippets.ts';

const SITE = 'https://site.example';
const IDS = LANGUAGES.map(({ id }) => id);

test.each(IDS)('a GET call in %s asks the address, and sends nothing', (id) => {
  const snippet = SNIPPETS[id]({ path: '/api/key?hwid=1' }, SITE);

  expect(snippet).toMatch(/['"]https:\/\/site\.example\/api\/key\?hwid=1['"]/);
  expect(snippet).not.toContain('Content-Type');
});

test.each(IDS)('a POST call in %s sends each member of its body to the address', (id) => {
  const snippet = SNIPPETS[id]({ path: '/api/key/verify', body: { key: 'eyJ', hwid: DEMO.hwid } }, SITE);

  expect(snippet).toContain(`${SITE}/api/key/verify`);
  expect(snippet).toContain('Content-Type');
  expect(snippet).toMatch(/\bkey\b"?\s*[:=] ['"]eyJ['"]/);
  expect(snippet).toMatch(/\bhwid\b"?\s*[:=] ['"]demo-device-0001['"]/);
});

test('the body of a shell’s call is JSON', () => {
  const [, body = ''] = / -d '([^']+)'$/.exec(SNIPPETS.curl({ path: '/', body: { key: 'eyJ' } }, SITE)) ?? [];

  expect(JSON.parse(body)).toEqual({ key: 'eyJ' });
});

test('a call in Lua has the service that writes its body, and one without a body has none', () => {
  expect(SNIPPETS.lua({ path: '/', body: { key: 'eyJ' } }, SITE)).toMatch(
    /^local HttpService = game:GetService\("HttpService"\)\n.*HttpService:JSONEncode\(/s,
  );
  expect(SNIPPETS.lua({ path: '/' }, SITE)).not.toContain('HttpService');
});

test.each([{ path: '/' }, { path: '/', body: { key: 'eyJ' } }])('a call in Python reads a refusal, too: %j', (call) => {
  expect(SNIPPETS.python(call, SITE)).toMatch(
    /except urllib\.error\.HTTPError as (\w+):\n {4}response = \1\nwith response:\n {4}print\(json\.load\(response\)\)$/,
  );
});
