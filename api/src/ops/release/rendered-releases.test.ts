import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { RenderAnswer } from '#api/delivery/rendering/render-pages.ts';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { openReleaseTerminal } from '#api/test/programs/open-release-terminal.ts';
import { makeRelease, withServerBundle } from '#api/test/delivery/pack-release.ts';

/** A built release with the code of its pages. */
function build(unit: string, version: string, paths: string[] = []): string {
  const folder = makeFolder();
  const routes = paths.map((path) => buildRoute(path));
  for (const [name, content] of withServerBundle(makeRelease(unit, version, { routes }), `${unit} ${version}`)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A site with a shell, whose renderer answers the same to every order. */
async function openSite(answer: RenderAnswer) {
  const terminal = await openReleaseTerminal(() => Promise.resolve(answer));
  await terminal.type('publish', 'shell', '--from', build('shell', '1.0.0'), '--promote');
  return terminal;
}

const WHERE = ['over HTTP', 'on the machine of the site'];

test.each(WHERE)('a page that throws is refused with its stack, a line for each of its lines, %s', async (where) => {
  const stack = 'Error: no heading\n    at EncrypterPage (tools@1.0.0:12:5)\n    at main (file:///srv/render.js:1:1)';
  const { type, typeTo } = await openSite({ rendered: [{ path: '/encrypter', problem: stack }] });
  const run = where === 'over HTTP' ? typeTo : type;
  const folder = build('tools', '1.0.0', ['/encrypter']);

  for (const command of ['check', 'publish'])
    expect(await run(command, 'tools', '--from', folder)).toEqual({
      code: 1,
      out: '',
      err: [
        '/encrypter of tools@1.0.0 in shell@1.0.0 throws: Error: no heading',
        '    at EncrypterPage (tools@1.0.0:12:5)',
      ].join('\n'),
    });
});

test.each(WHERE)('a renderer that fails refuses nothing, and the answer says so, %s', async (where) => {
  const { type, typeTo } = await openSite({ failure: 'The renderer was ended by SIGKILL.' });
  const run = where === 'over HTTP' ? typeTo : type;

  const published = await run('publish', 'tools', '--from', build('tools', '1.0.0', ['/encrypter']), '--promote');
  expect(published.code).toBe(0);
  expect(published.out.split('\n')).toEqual(
    expect.arrayContaining([
      'tools@1.0.0 is published.',
      'tools@1.0.0 in shell@1.0.0 is rendered in the browser alone. The renderer was ended by SIGKILL.',
      'tools: stable 1.0.0, no canary, last good none.',
    ]),
  );
});
