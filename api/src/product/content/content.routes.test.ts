import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { writeDefaultContent } from './content-files.ts';

/** An API with a content folder in a data folder, as on a real machine. */
async function createApiWithContent(files: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'content-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const contentDir = join(dataDir, 'content');
  mkdirSync(contentDir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(contentDir, name), text);

  return { ...(await createTestApi({ contentDir })), contentDir };
}

test('a content text is served unchanged and revalidated on each request', async () => {
  const { ask, contentDir } = await createApiWithContent({ 'v5-ios.txt': '2.692.843\n' });

  const res = await ask('/content/v5-ios.txt');

  expect(res.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(res.headers.get('cache-control')).toBe('no-cache');
  expect(await res.text()).toBe('2.692.843\n');

  writeFileSync(join(contentDir, 'v5-ios.txt'), 'Updating');
  expect(await (await ask('/content/v5-ios.txt')).text()).toBe('Updating');
});

test('a content text is also served in the format of the contents API', async () => {
  // Its base64 has a `+`, which the variant for addresses writes otherwise, and the page could not read.
  const text = 'V5 users: 1000\nNEO keys: 4213377~\n';
  const { ask } = await createApiWithContent({ 'users.txt': text });

  const res = await ask('/content-api/users.txt');

  expect(res.headers.get('cache-control')).toBe('no-cache');
  expect(await res.json()).toEqual({ content: btoa(text), encoding: 'base64' });
});

test.each([
  'missing.txt',
  'Upper.txt',
  'users.json',
  'users',
  `${'a'.repeat(41)}.txt`,
  '..%2Fsecret.txt',
  '..%5Csecret.txt',
  'users.txt%00',
  'users.txt%0A',
  'folder.txt',
  'folder.txt/users.txt',
  '',
])('"%s" answers 404 in both content formats', async (name) => {
  const { ask, contentDir } = await createApiWithContent({
    'users.txt': 'x',
    'Upper.txt': 'x',
    'users.json': 'x',
    [`${'a'.repeat(41)}.txt`]: 'x',
  });
  writeFileSync(join(contentDir, '../secret.txt'), 'secret');
  mkdirSync(join(contentDir, 'folder.txt'));

  for (const folder of ['content', 'content-api']) {
    const res = await ask(`/${folder}/${name}`);
    expect(res.status).toBe(404);
    expect(await res.json()).toMatchObject({ code: 'route.not_found' });
  }
});

test('a content text of 4 KB is served and a larger file answers 404', async () => {
  const { ask } = await createApiWithContent({ 'full.txt': 'x'.repeat(4096), 'large.txt': 'x'.repeat(4097) });

  expect((await ask('/content/full.txt')).status).toBe(200);
  expect((await ask('/content/large.txt')).status).toBe(404);
});

test('a development machine starts with every content text that pages request', async () => {
  const { ask, contentDir } = await createApiWithContent();
  writeDefaultContent(contentDir);

  for (const name of ['v5-android', 'v5-ios', 'v5-vng', 'neo-android', 'neo-ios', 'neo-vng']) {
    expect(await (await ask(`/content/${name}.txt`)).text()).toMatch(/^(\d+\.\d+\.\d+|Updating)\n$/);
  }
  expect(await (await ask('/content/users.txt')).text()).toBe('V5 users: 1000\nNEO keys: 4213377\n');
  expect(await (await ask('/content/video.txt')).text()).toMatch(/^https:\/\/youtu\.be\/Demo[\w-]{7}#\d+:\d\d\n$/);
});

test('a restart keeps the content texts that an operator has changed', async () => {
  const { ask, contentDir } = await createApiWithContent({ 'users.txt': 'mine' });
  writeDefaultContent(contentDir);
  writeDefaultContent(contentDir);

  expect(await (await ask('/content/users.txt')).text()).toBe('mine');
});

test('the content security policy lets pages fetch from the content address and from no other site', async () => {
  const connectSrc = async (...contentUrls: (string | undefined)[]) => {
    const { ask } = await createTestApi({ contentUrls, baseUrl: () => 'https://site.example' });
    const policy = (await ask('/healthz')).headers.get('content-security-policy') ?? '';
    return /connect-src ([^;]*)/.exec(policy)?.[1];
  };

  expect(await connectSrc('https://raw.host.example/team/status')).toBe(
    "'self' wss://site.example https://raw.host.example",
  );
  expect(await connectSrc('https://raw.host.example/team/status', 'https://api.host.example/contents')).toBe(
    "'self' wss://site.example https://raw.host.example https://api.host.example",
  );
  expect(await connectSrc('https://host.example/status', 'https://host.example/contents')).toBe(
    "'self' wss://site.example https://host.example",
  );
  expect(await connectSrc(undefined)).toBe("'self' wss://site.example");
});
