import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRelease } from '#api/test/build-release.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { list } from '#api/test/pack-release.ts';
import { createPublishStage } from '#api/test/publish-stage.ts';
import { createReadStyle } from './inline-styles.ts';

const FILE = 'static/css/a.css';

/** Reads a stylesheet of a store; `stored`: what the disk has made of it. */
function read(text: string, stored = text) {
  const folder = makeFolder();
  mkdirSync(join(folder, 'tools/0.1.0/static/css'), { recursive: true });
  writeFileSync(join(folder, 'tools/0.1.0', FILE), stored);
  return createReadStyle(folder)(buildRelease('tools', { files: { [FILE]: list(Buffer.from(text)) } }), FILE);
}

test.each([
  ['url(../media/a.svg)', 'url(/releases/tools/0.1.0/static/media/a.svg)'],
  ['url("../media/a.svg")', 'url(/releases/tools/0.1.0/static/media/a.svg)'],
  ['url(b.svg)', 'url(/releases/tools/0.1.0/static/css/b.svg)'],
  ['url(/icon.svg)', 'url(/icon.svg)'],
  ['url("data:image/svg+xml,x")', 'url("data:image/svg+xml,x")'],
  ['url(#mask)', 'url(#mask)'],
])('an address in a stylesheet leads to the same file from within a document: %s', async (written, told) => {
  expect((await read(`a{mask:${written}}`))?.text).toBe(`a{mask:${told}}`);
});

test.each([
  ['was changed by the disk', 'a{color:red}', 'a{color:tan}'],
  ['would end its element', 'a::after{content:"</STYLE><script>"}', undefined],
])('a stylesheet that %s stands in no document', async (_what, text, stored) => {
  expect(await read(text, stored)).toBeUndefined();
});

test('the policy of a page allows the very text of each stylesheet in it', async () => {
  const { ask } = await createPublishStage();
  const answer = await ask('/portfolio');
  const policy = answer.headers.get('content-security-policy') ?? '';
  const texts = [...(await answer.text()).matchAll(/<style data-href="([^"]*)">(.*?)<\/style>/gs)];

  expect(texts.map(([, url]) => url)).toEqual(['/releases/shell/0.1.0/static/css/a.css']);
  for (const [, , text = ''] of texts)
    expect(/style-src[^;]*/.exec(policy)?.[0]).toContain(
      `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
});
