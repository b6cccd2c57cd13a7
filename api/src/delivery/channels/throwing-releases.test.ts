import type { ChannelMove } from '@app/contracts/channel-move';
import { problemSchema } from '@app/contracts/problem';
import { publishedSchema } from '@app/contracts/registry';
import type { Release } from '@app/contracts/release';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease, withFile, withServerBundle } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { makeRenderProgram } from '#api/test/delivery/render-program.ts';
import { remoteBundle, SHELL_BUNDLE } from '#api/test/delivery/server-bundles.ts';
import { findThrowingPages } from './change-channels.ts';
import { changeChannel } from './channel-changes.ts';
import type { Prerendering } from '#api/delivery/rendering/prerendering.ts';
import { createRenderPages, type RenderPages } from '#api/delivery/rendering/render-pages.ts';

const THROWING_CODE = 'throw new Error("no heading")';

/** A release of `tools` with one page, and its code. */
function makeTools(version: string, page = `return "tools ${version}"`, path = '/portfolio') {
  return withServerBundle(
    makeRelease('tools', version, { routes: [buildRoute(path)] }),
    remoteBundle({ [path]: page }),
  );
}

function makeShell(version: string, code = SHELL_BUNDLE) {
  const contract = { version: '1.0', provides: { react: ['useState'] } };
  return withServerBundle(makeRelease('shell', version, { contract }), code);
}

/** A site that renders in real processes, unless `renderer.render` is set. */
async function openSite(options = {}) {
  const real = createRenderPages({ program: makeRenderProgram() });
  const renderer: { render: RenderPages } = { render: real };
  const fixture = await createPublishFixture(undefined, (order) => renderer.render(order), options);
  const { db, registry, prerendering } = fixture;

  return {
    ...fixture,
    renderer,
    real,
    change: (unit: string, change: ChannelMove) =>
      changeChannel({ db, registry, prerendering }, unit, change, { by: 'olga', at: fixture.now() }),
    page: async () => (await fixture.ask('/portfolio')).text(),
  };
}

async function problemOf(answer: Response) {
  const { status, code, problems = [] } = v.parse(problemSchema, await answer.json());
  return { status, code, problems };
}

test('a release with a throwing page is rejected with the stack, also in a dry run, and its files are removed', async () => {
  const site = await openSite();

  for (const query of ['', '?check'])
    expect(await problemOf(await site.publish('tools', '0.2.0', makeTools('0.2.0', THROWING_CODE), query))).toEqual({
      status: 422,
      code: 'release.invalid',
      problems: [
        expect.stringMatching(
          /^\/portfolio of tools@0\.2\.0 in shell@0\.1\.0 throws: Error: no heading\n +at .*tools@0\.2\.0:1:/,
        ) as string,
      ],
    });
  expect(await site.registry.find('tools', '0.2.0')).toBeUndefined();
  expect([site.incoming(), await site.isServed()]).toEqual([[], true]);
});

test('a shell in which a visitor-facing page throws is rejected', async () => {
  const { publish, change } = await openSite();
  await publish('tools', '0.2.0', makeTools('0.2.0', 'return react.name.toUpperCase()'));
  await change('tools', { action: 'promote', version: '0.2.0' });

  const without = makeShell('0.2.0', SHELL_BUNDLE.replace("name: 'react of the shell'", ''));
  expect((await problemOf(await publish('shell', '0.2.0', without))).problems).toEqual([
    expect.stringMatching(/^\/portfolio of tools@0\.2\.0 in shell@0\.2\.0 throws: TypeError/) as string,
  ]);
  expect((await publish('shell', '0.3.0', makeShell('0.3.0'))).status).toBe(201);
});

test('a page that already throws in production does not block changes of another unit', async () => {
  const { publish, change, renderer, real } = await openSite();
  renderer.render = () => Promise.resolve({ failure: 'The renderer was ended.' });
  await publish('tools', '0.2.0', makeTools('0.2.0', THROWING_CODE));
  await change('tools', { action: 'promote', version: '0.2.0' });

  renderer.render = real;
  expect((await publish('shell', '0.2.0', makeShell('0.2.0'))).status).toBe(201);
  expect(await change('shell', { action: 'promote', version: '0.2.0' })).toMatchObject({ outcome: 'moved' });
});

test('a renderer failure does not reject a release: the response reports it, and pages are rendered in the browser', async () => {
  const { publish, change, page, renderer } = await openSite();
  renderer.render = () => Promise.resolve({ failure: 'The renderer was ended by SIGKILL.' });

  const published = v.parse(publishedSchema, await (await publish('tools', '0.2.0', makeTools('0.2.0'))).json());
  expect(published).toMatchObject({
    outcome: 'published',
    notices: [expect.stringContaining('tools@0.2.0 in shell@0.1.0 is rendered in the browser alone. The renderer')],
  });
  expect(await change('tools', { action: 'promote', version: '0.2.0' })).toMatchObject({ outcome: 'moved' });
  expect(await page()).toMatch(/"version":"0\.2\.0".*<div id="root"><\/div>/s);
});

test('a change that combines a throwing pair of releases is rejected; a rollback is not', async () => {
  const { publish, change, registry, renderer, real } = await openSite();
  await publish('tools', '0.2.0', makeTools('0.2.0'));
  await change('tools', { action: 'promote', version: '0.2.0' });
  renderer.render = () => Promise.resolve({ failure: 'The renderer was ended.' });
  await publish('tools', '0.3.0', makeTools('0.3.0', THROWING_CODE));
  renderer.render = real;

  for (const action of [
    { action: 'promote', version: '0.3.0' },
    { action: 'canary', version: '0.3.0', percent: 10 },
  ] as const)
    expect(await change('tools', action)).toEqual({
      outcome: 'refused',
      why: 'misfit',
      problems: [
        expect.stringContaining('/portfolio of tools@0.3.0 in shell@0.1.0 throws: Error: no heading') as string,
      ],
    });
  expect(registry.snapshot().units.get('tools')).toMatchObject({ stable: { version: '0.2.0' } });
  expect(registry.snapshot().units.get('tools')?.canary).toBeUndefined();
  expect(await change('tools', { action: 'rollback', version: '0.3.0' })).toMatchObject({ outcome: 'moved' });
});

test('a pair of releases first combined by a change is rendered before the change', async () => {
  const { publish, change, renderer, real } = await openSite();
  // Each of them was published while the other was not served.
  await publish('shell', '0.2.0', makeShell('0.2.0', SHELL_BUNDLE.replace("name: 'react of the shell'", '')));
  await publish('tools', '0.2.0', makeTools('0.2.0', 'return react.name.toUpperCase()'));
  expect(await change('tools', { action: 'canary', version: '0.2.0', percent: 1 })).toMatchObject({ outcome: 'moved' });
  let asked = 0;
  renderer.render = (order) => (asked++, real(order));

  expect(await change('shell', { action: 'canary', version: '0.2.0', percent: 1 })).toMatchObject({ why: 'misfit' });
  expect(asked).toBeGreaterThan(0);
  await change('tools', { action: 'halt', reason: 'is replaced' });
  expect(await change('shell', { action: 'canary', version: '0.2.0', percent: 1 })).toMatchObject({ outcome: 'moved' });
});

test('a change overtaken by another during rendering is checked again', async () => {
  const { publish, change, registry, renderer, real } = await openSite();
  await publish('tools', '0.2.0', makeTools('0.2.0'));
  await publish('shell', '0.2.0', makeShell('0.2.0', SHELL_BUNDLE.replace("name: 'react of the shell'", '')));
  renderer.render = () => Promise.resolve({ failure: 'The renderer was ended.' });
  await publish('tools', '0.3.0', makeTools('0.3.0', 'return react.name.toUpperCase()'));

  let isOvertaken = false;
  renderer.render = async (order) => {
    if (!isOvertaken) {
      isOvertaken = true;
      await change('shell', { action: 'promote', version: '0.2.0' });
    }
    return real(order);
  };
  expect(await change('tools', { action: 'promote', version: '0.3.0' })).toMatchObject({ why: 'misfit' });
  expect(registry.snapshot().units.get('shell')?.stable.version).toBe('0.2.0');
});

test('pages are served from memory while every renderer hangs', async () => {
  const { publish, change, page, renderer, ask } = await openSite();
  await publish('tools', '0.2.0', makeTools('0.2.0'));
  await change('tools', { action: 'promote', version: '0.2.0' });
  const hanging: (() => void)[] = [];
  renderer.render = () => new Promise((resolve) => hanging.push(() => resolve({ failure: 'It was ended.' })));
  const publishing = publish('tools', '0.3.0', makeTools('0.3.0'));

  await expect.poll(() => hanging.length).toBe(1);
  for (let nth = 0; nth < 20; nth++) expect(await page()).toContain('>tools 0.2.0</main>');
  expect((await ask('/readyz')).status).toBe(200);
  hanging[0]?.();
  expect((await publishing).status).toBe(201);
});

test('threat 42: HTML that closes its root element or contains a script does not change the policy', async () => {
  const { publish, change, ask } = await openSite();
  const html = '</div><script>alert(1)</script><script id=\\"resolution\\">{}</script>';
  await publish('tools', '0.2.0', makeTools('0.2.0', `return "${html}"`));
  await change('tools', { action: 'promote', version: '0.2.0' });
  const answer = await ask('/portfolio');
  const policy = answer.headers.get('content-security-policy') ?? '';
  const page = await answer.text();

  expect(/script-src[^;]*/.exec(policy)?.[0]).not.toMatch(/unsafe-inline|unsafe-eval/);
  expect(page.indexOf('<script id="resolution"')).toBeLessThan(page.indexOf('<script>alert(1)'));
});

test('a pair of releases first combined by a pin is rendered on the first request, or in the browser if that fails', async () => {
  const { publish, renderer, real, ask } = await openSite({ isOpen: true });
  for (const version of ['0.2.0', '0.3.0']) await publish('shell', version, makeShell(version));
  await publish('tools', '0.2.0', makeTools('0.2.0'));
  const visit = async (shell: string) => {
    const pinned = await ask(`/portfolio?pin=shell@${shell},tools@0.2.0`, { redirect: 'manual' });
    const cookies = pinned.headers.getSetCookie().map((text) => text.split(';')[0]);
    return (await ask('/portfolio', { headers: { cookie: cookies.join('; ') } })).text();
  };
  const empty = /"version":"0\.2\.0","source":"pin".*<div id="root"><\/div>/s;

  expect(await visit('0.2.0')).toMatch(empty);
  await expect.poll(() => visit('0.2.0')).toContain('>tools 0.2.0</main>');

  let asked = 0;
  renderer.render = (order) => (asked++ > 0 ? real(order) : Promise.resolve({ failure: 'The renderer was ended.' }));
  for (let nth = 0; nth < 5; nth++) expect(await visit('0.3.0')).toMatch(empty);
  await expect.poll(() => asked).toBe(1);
});

test('the error of a throwing page names the line of its source', async () => {
  const { publish } = await openSite();
  const map = JSON.stringify({ version: 3, names: [], sources: ['./src/pages/portfolio.tsx'], mappings: 'AAWI' });
  const files = withServerBundle(makeRelease('tools', '0.2.0'), remoteBundle({ '/portfolio': THROWING_CODE }), map);

  expect((await problemOf(await publish('tools', '0.2.0', files))).problems).toEqual([
    expect.stringMatching(/Error: no heading\n +at .*tools@0\.2\.0\/src\/pages\/portfolio\.tsx:12:5/) as string,
  ]);
});

test('a release that is already known, too heavy or rejected for another reason is not rendered', async () => {
  const { publish, renderer } = await openSite();
  let asked = 0;
  renderer.render = () => (asked++, Promise.resolve({ failure: 'The renderer was ended.' }));
  const copy = Buffer.from('const key = "__reactContainer$" + Math.random();');

  for (const [version, files, status] of [
    ['0.2.0', makeTools('0.2.0'), 201],
    ['0.2.0', makeTools('0.2.0'), 200],
    ['0.3.0', withFile(makeTools('0.3.0'), 'own.js', copy), 422],
    ['0.3.0', makeTools('0.3.0', '', '/api/mine'), 422],
  ] as const)
    expect((await publish('tools', version, files)).status).toBe(status);
  expect(asked).toBe(1);
});

test('for a release whose pages all throw, ten are listed', async () => {
  const { publish, renderer } = await openSite();
  renderer.render = ({ pages }) =>
    Promise.resolve({ rendered: pages.map((path) => ({ path, problem: 'Error: no heading' })) });
  const routes = Array.from({ length: 12 }, (_, nth) => buildRoute(`/page-${String(nth)}`));
  const files = withServerBundle(makeRelease('marketing', '0.2.0', { routes }), remoteBundle({}));

  expect((await problemOf(await publish('marketing', '0.2.0', files))).problems).toHaveLength(10);
});

test('a page that throws in the next shell is reported even if another page of its remote already throws', async () => {
  const [before, after] = ['0.1.0', '0.2.0'].map((version) => buildRelease('shell', { version })) as [Release, Release];
  const served = (shell: Release) =>
    new Map([
      ['shell', [shell]],
      ['tools', [buildRelease('tools')]],
    ]);
  const renderPairs: Prerendering['renderPairs'] = (pairs) =>
    Promise.resolve({
      thrown: pairs.flatMap((pair) =>
        (pair.shell === after ? ['/old', '/new'] : ['/old']).map((path) => ({ ...pair, path, stack: 'Error' })),
      ),
      failures: [],
    });

  const { problems } = await findThrowingPages({ renderPairs }, served(before), served(after));
  expect(problems).toEqual(['/new of tools@0.1.0 in shell@0.2.0 throws: Error']);
});
