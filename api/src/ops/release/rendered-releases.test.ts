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

test('a page that throws is refused with its stack, a line for each of its lines', async () => {
  const stack = 'Error: no heading\n    at EncrypterPage (tools@1.0.0:12:5)\n    at main (file:///srv/render.js:1:1)';
  const { typeTo } = await openSite({ rendered: [{ path: '/encrypter', problem: stack }] });
  const folder = build('tools', '1.0.0', ['/encrypter']);

  for (const command of ['check', 'publish'])
    expect(await typeTo(command, 'tools', '--from', folder)).toEqual({
      code: 1,
      out: '',
      err: [
        '/encrypter of tools@1.0.0 in shell@1.0.0 throws: Error: no heading',
        '    at EncrypterPage (tools@1.0.0:12:5)',
      ].join('\n'),
    });
});
