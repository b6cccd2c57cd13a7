import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRelease } from '#api/test/delivery/build-release.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { createReadStyle } from './documents.ts';

const FILE = 'static/css/page.aaaaaaaa.css';

/** Reads a stylesheet of a release; returns its inlined text. `stored`: its content on the disk. */
async function read(css: string, stored = css): Promise<string | undefined> {
  const folder = makeFolder();
  const sha384 = createHash('sha384').update(css).digest('base64');
  const release = buildRelease('tools', { files: { [FILE]: { sha384, bytes: css.length } } });
  const path = join(folder, release.unit, release.version, FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stored);
  const text = (await createReadStyle(folder)(release, FILE))?.text;
  return text?.replaceAll(`/releases/tools/${release.version}/`, '<release>/');
}

test.each([
  ['url(../media/a.svg)', 'url(<release>/static/media/a.svg)'],
  ['url(../media/a.0a1b2c3d.svg)', 'url(/releases/tools/static/media/a.0a1b2c3d.svg)'],
  ['url("../media/a b.svg")', 'url("<release>/static/media/a b.svg")'],
  [`URL( 'a.svg' )`, `url('<release>/static/css/a.svg')`],
])('a relative address in an inlined stylesheet resolves to the same file: %s', async (css, expected) => {
  expect(await read(css)).toBe(expected);
});

test.each([
  'url(/icon.svg)',
  'url(#mark)',
  'url(data:image/png;base64,AA==)',
  `url("data:image/svg+xml,%3Csvg%3E%3Cpath fill='url(%23a)'/%3E%3C/svg%3E")`,
  `url('data:image/svg+xml,%3Csvg%3E%3Cpath fill="url(a)"/%3E%3C/svg%3E')`,
])('an absolute address is unchanged: %s', async (css) => {
  expect(await read(css)).toBe(css);
});

test.each(['/* a */\r\n.a{color:red}', '.a{content:"\0"}', '.a{}</style>'])(
  'a stylesheet that HTML parsing would alter is linked: %j',
  async (css) => {
    expect(await read(css)).toBeUndefined();
  },
);

test.each(['url(', "url('", 'url( ', 'url(a ', 'url(\\', 'url("\\'])(
  'threat 42: a stylesheet of nothing but %s is processed in linear time',
  async (text) => {
    const css = text.repeat(60_000);
    expect(await read(css)).toBe(css);
  },
);

test('the byte order mark of a stylesheet is stripped before inlining', async () => {
  expect(await read('\uFEFF.a{color:red}')).toBe('.a{color:red}');
});

test('a stylesheet damaged on the disk is not inlined', async () => {
  expect(await read('a{color:red}', 'a{color:tan}')).toBeUndefined();
});

test('the Content-Security-Policy of a page allows exactly its inlined stylesheets', async () => {
  const { ask } = await createPublishFixture();
  const answer = await ask('/portfolio');
  const policy = answer.headers.get('content-security-policy') ?? '';
  const texts = [...(await answer.text()).matchAll(/<style data-href="([^"]*)">(.*?)<\/style>/gs)];

  expect(texts.map(([, url]) => url)).toEqual(['/releases/shell/0.1.0/static/css/a.css']);
  for (const [, , text = ''] of texts)
    expect(/style-src[^;]*/.exec(policy)?.[0]).toContain(
      `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
});
