import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_DEVICES } from '@app/contracts/device-params';
import { SERVER_BUNDLE } from '@app/contracts/release';
import { expect, test } from 'vitest';
import { openPrerendering } from './prerendering.ts';
import type { RenderAnswer } from './render-pages.ts';
import { listPairs, nameOfPair } from './shell-remote-pairs.ts';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { buildRelease } from '#api/test/delivery/build-release.ts';
import {
  openPrerenderingFixture as openFixture,
  putRelease as put,
  putRelease,
} from '#api/test/delivery/prerendering-fixture.ts';
import { SHELL_BUNDLE } from '#api/test/delivery/server-bundles.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { PRODUCTION } from '#api/test/production-settings.ts';
import { countMeanwhile, readMetric } from '#api/test/read-metric.ts';

const MINUTE = 60_000;

test('an address with a device gets its own rendering of a page, if one exists', async () => {
  const { find, prepare, orders, shell, remote } = openFixture(() => ({
    rendered: [
      { path: '/a', html: { none: 'begin in the app', zoned: 'looking' } },
      { path: '/b', html: { none: 'b' } },
    ],
  }));
  await prepare([shell, remote], 1000);

  expect(find(shell, remote, '/a', 'none')).toBe('begin in the app');
  expect(find(shell, remote, '/a', 'zoned')).toBe('looking');
  expect(find(shell, remote, '/b', 'zoned')).toBe('b');
  expect(orders[0]?.devices).toEqual(KNOWN_DEVICES);
});

test('the first visitor does not wait for a rendering; later ones get it', async () => {
  const { find, answers, shell, remote } = openFixture();
  expect(find(shell, remote, '/a', 'none')).toBeUndefined();
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();

  await expect.poll(() => find(shell, remote, '/a', 'none')).toBe('tools 1.0.0 /a');
  expect(find(shell, remote, '/nowhere', 'none')).toBeUndefined();
});

test('concurrent requests for one pair of releases share a renderer, and the queue for other pairs is bounded', async () => {
  const { renderPairs, prepare, find, answers, orders, shell, remote, folder } = openFixture();
  const others = ['a', 'b', 'c'].map((unit) => put(folder, unit, '1.0.0', [`/${unit}`]));
  const all = Promise.all([
    renderPairs([{ shell, remote }]),
    prepare([shell, remote], 60_000),
    prepare([shell, ...others], 60_000),
  ]);
  for (let nth = 0; nth < 50; nth++) find(shell, remote, '/a', 'none');

  for (const done of [0, 1, 2, 3]) {
    await expect.poll(() => answers.length).toBe(Math.min(done + 2, 4));
    answers[done]?.();
  }
  await all;
  expect(orders.map((order) => order.remote.unit).sort()).toEqual(['a', 'b', 'c', 'tools']);
});

test('another process reuses the rendered pages on the disk, and renders nothing', async () => {
  const first = openFixture();
  const prepared = first.prepare([first.shell, first.remote], 60_000);
  await expect.poll(() => first.answers.length).toBe(1);
  first.answers[0]?.();
  await prepared;

  const second = openFixture(undefined, first.folder);
  await second.prepare([second.shell, second.remote], 60_000);
  expect(second.find(second.shell, second.remote, '/b', 'none')).toBe('tools 1.0.0 /b');
  expect(second.orders).toEqual([]);
});

test('a change waits for a hanging renderer until its timeout', async () => {
  const { prepare, find, answers, shell, remote } = openFixture();
  await prepare([shell, remote], 1);
  expect(find(shell, remote, '/a', 'none')).toBeUndefined();

  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();
  await expect.poll(() => find(shell, remote, '/a', 'none')).toBe('tools 1.0.0 /a');
});

test('a publication waits for a hanging renderer until its timeout', async () => {
  const { renderPairs, shell, remote } = openFixture(undefined, undefined, undefined, 1);

  expect(await renderPairs([{ shell, remote }])).toEqual({
    thrown: [],
    failures: ['tools@1.0.0 in shell@1.0.0 is rendered in the browser alone. It took too long.'],
  });
});

test('a failed renderer is restarted after a pause, not for each request', async () => {
  const { find, orders, warned, pass, shell, remote } = openFixture(() => ({ failure: 'The renderer was ended.' }));
  const ask = async (failed: number) => {
    for (let nth = 0; nth < 20; nth++) expect(find(shell, remote, '/a', 'none')).toBeUndefined();
    await expect.poll(() => warned.length).toBe(failed);
  };
  await ask(1);
  await ask(1);
  expect(orders).toHaveLength(1);
  expect(warned).toEqual(['tools@1.0.0 in shell@1.0.0 is rendered in the browser alone. The renderer was ended.']);

  pass(10 * MINUTE);
  await ask(2);
  expect(orders).toHaveLength(2);
});

test('threat 42: error output of a renderer cannot control the publisher’s terminal', async () => {
  const said = 'The renderer was ended by code 1. Error: \x1b[2J\x1b]0;Published\x07\r';
  const { renderPairs, warned, shell, remote } = openFixture(() => ({ failure: said }));

  const { failures } = await renderPairs([{ shell, remote }]);
  expect(failures).toEqual(warned);
  expect(failures[0]).toMatch(/alone\. The renderer was ended by code 1\. Error: \[2J\]0;Published$/);
});

test('a publication or change retries at once, and reports a renderer failure', async () => {
  const { renderPairs, orders, shell, remote } = openFixture(() => ({ failure: 'The renderer was ended.' }));

  for (let nth = 0; nth < 2; nth++)
    expect(await renderPairs([{ shell, remote }])).toEqual({
      thrown: [],
      failures: ['tools@1.0.0 in shell@1.0.0 is rendered in the browser alone. The renderer was ended.'],
    });
  expect(orders).toHaveLength(2);
});

test('a page that throws has no HTML, and the other pages of its unit do', async () => {
  const { renderPairs, find, shell, remote } = openFixture(() => ({
    rendered: [
      { path: '/a', problem: 'Error: no heading' },
      { path: '/b', html: { none: '<p>b</p>' } },
    ],
  }));

  expect((await renderPairs([{ shell, remote }])).thrown).toEqual([
    { shell, remote, path: '/a', stack: 'Error: no heading' },
  ]);
  expect(find(shell, remote, '/a', 'none')).toBeUndefined();
  expect(find(shell, remote, '/b', 'none')).toBe('<p>b</p>');
});

test('threat 42: only requested pages of a renderer’s output are accepted', async () => {
  const { renderPairs, find, shell, remote } = openFixture(() => ({
    rendered: [
      { path: '/a', html: { none: '<p>a</p>' } },
      { path: '/plans', html: { none: '<p>mine</p>' } },
      { path: '__proto__', html: { none: '<p>mine</p>' } },
      { path: '/a', html: { none: '<p>another a</p>' } },
    ],
  }));

  expect((await renderPairs([{ shell, remote }])).thrown).toMatchObject([{ path: '/b' }]);
  expect(find(shell, remote, '/plans', 'none')).toBeUndefined();
  expect(find(shell, remote, '/a', 'none')).toBe('<p>a</p>');
});

test('a server bundle that differs from the published one is never run', async () => {
  const { renderPairs, orders, folder, shell, remote } = openFixture();
  writeFileSync(join(folder, 'tools/1.0.0/server.cjs'), 'something else');

  expect((await renderPairs([{ shell, remote }])).failures).toEqual([
    expect.stringContaining('The server bundle of tools is not what was published') as string,
  ]);
  expect(orders).toEqual([]);
});

test('a release of an earlier build, without a server bundle, starts no renderer', async () => {
  const { find, renderPairs, orders, shell, remote } = openFixture();
  const files = Object.fromEntries(Object.entries(remote.files).filter(([name]) => name !== SERVER_BUNDLE));
  const earlier = { ...remote, files };

  expect(find(shell, earlier, '/a', 'none')).toBeUndefined();
  expect(await renderPairs([{ shell, remote: earlier }])).toEqual({ thrown: [], failures: [] });
  expect(orders).toEqual([]);
});

test('threat 43: requests with many combinations of versions do not grow the queue beyond its limit', async () => {
  const { find, answers, orders, folder, shell } = openFixture();
  const versions = Array.from({ length: 30 }, (_, nth) => put(folder, 'tools', `2.0.${String(nth)}`, ['/a']));
  for (const remote of versions) find(shell, remote, '/a', 'none');

  for (let nth = 0; nth < 8; nth++) {
    await expect.poll(() => answers.length).toBeGreaterThan(nth);
    answers[nth]?.();
  }
  await expect.poll(() => versions.slice(0, 8).every((one) => find(shell, one, '/a', 'none') !== undefined)).toBe(true);
  // A request beyond the limit is not queued: the next rendering is for a new request.
  find(shell, put(folder, 'tools', '3.0.0', ['/a']), '/a', 'none');
  await expect.poll(() => orders.length).toBeGreaterThan(8);
  expect(orders[8]?.remote.version).toBe('3.0.0');
  await expect.poll(() => versions.filter((remote) => find(shell, remote, '/a', 'none') !== undefined).length).toBe(8);
});

test('the shell’s own pages are rendered in the browser, without a renderer', async () => {
  const { find, orders, shell, remote } = openFixture();

  expect(find(shell, shell, '/qa', 'none')).toBeUndefined();
  // A later request comes later.
  find(shell, remote, '/a', 'none');
  await expect.poll(() => orders.length).toBe(1);
  expect(orders[0]?.remote.unit).toBe('tools');
});

test('a page that throws is reported to every process, and logged', async () => {
  const throwing = (): RenderAnswer => ({ rendered: [{ path: '/a', problem: 'Error: no heading' }] });
  const { folder, renderPairs, orders, warned, shell, remote } = openFixture(throwing);
  for (let nth = 0; nth < 2; nth++) expect((await renderPairs([{ shell, remote }])).thrown).toHaveLength(2);
  expect(orders).toHaveLength(2);
  expect(warned[0]).toBe('/a of tools@1.0.0 in shell@1.0.0 throws: Error: no heading');

  const another = openFixture(throwing, folder);
  expect((await another.renderPairs([another])).thrown).toHaveLength(2);
});

test('changed settings or code cause a new rendering', async () => {
  const html = (words: string) => () => ({ rendered: ['/a', '/b'].map((path) => ({ path, html: { none: words } })) });
  const first = openFixture(html('first'));
  await first.prepare([first.shell, first.remote], MINUTE);

  const second = openFixture(html('second'), first.folder, { ...SITE_SETTINGS, launchUrl: 'other://' });
  await second.prepare([second.shell, second.remote], MINUTE);
  expect(second.find(second.shell, second.remote, '/a', 'none')).toBe('second');
  const changed = put(first.folder, 'tools', '1.0.0', ['/a', '/b'], {}, 'other code');
  await first.prepare([first.shell, changed], MINUTE);
  expect(first.orders.map(({ remote }) => remote.code)).toEqual(['tools 1.0.0', 'other code']);
});

test('incompatible releases are not rendered together', async () => {
  const { folder, find, renderPairs, orders, shell } = openFixture();
  const remote = put(folder, 'tools', '2.0.0', ['/a'], {
    contract: { version: '1.0', requires: { react: ['useMagic'] } },
  });

  expect(find(shell, remote, '/a', 'none')).toBeUndefined();
  expect(await renderPairs([{ shell, remote }])).toEqual({ thrown: [], failures: [] });
  expect(orders).toEqual([]);
});

test('threat 43: the HTML in memory is bounded', async () => {
  const html = { none: 'x'.repeat(10_000_000) };
  const { folder, find, prepare, shell } = openFixture(({ pages }) => ({
    rendered: pages.map((path) => ({ path, html })),
  }));
  const remotes = ['2', '3'].map((major) => put(folder, 'tools', `${major}.0.0`, ['/a', '/b', '/c']));
  for (const remote of remotes) await prepare([shell, remote], MINUTE);

  expect(remotes.map((remote) => find(shell, remote, '/a', 'none')?.length)).toEqual([undefined, 10_000_000]);
});

test('a page in another language is rendered with the translations of both releases, and cached by language', async () => {
  const fixture = openFixture(({ translations, pages }) => ({
    rendered: pages.map((path) => ({ path, html: { none: translations.join(' ') || 'original' } })),
  }));
  const translated = (unit: string, paths: string[] = []) =>
    put(fixture.folder, unit, '2.0.0', paths, { translations: { vi: { script: SERVER_BUNDLE } } });
  const [shell, remote] = [translated('shell'), translated('tools', ['/a'])];
  await fixture.prepare([shell, remote], 60_000);

  expect(fixture.find(shell, remote, '/a', 'none')).toBe('original');
  expect(fixture.find(shell, remote, '/a', 'none', 'vi')).toBe('shell 2.0.0 tools 2.0.0');
});

test('a page is not rendered with translations that differ from the published ones', async () => {
  const { folder, orders, renderPairs } = openFixture();
  const shell = put(folder, 'shell', '2.0.0', [], { translations: { vi: { script: 'vi.js' } } });
  const remote = put(folder, 'tools', '2.0.0', ['/a']);

  expect((await renderPairs([{ shell, remote, language: 'vi' }])).failures).toEqual([
    expect.stringContaining('vi.js of shell is not what was published') as string,
  ]);
  expect(orders).toEqual([]);
});

test('rendering outcomes and running renderers are counted', async () => {
  const outcomes = ['rendered', 'thrown', 'failed'].map((outcome) => ['site_renderings_total', { outcome }] as const);
  const working = await readMetric('site_renderers');

  const changes = await countMeanwhile(outcomes, async () => {
    const { renderPairs, answers, ...pair } = openFixture();
    const trial = renderPairs([pair]);
    await expect.poll(() => answers.length).toBe(1);
    expect(await readMetric('site_renderers')).toBe(working + 1);
    answers[0]?.();
    await trial;
    for (const answer of [{ rendered: [] }, { failure: 'The renderer was ended.' }]) {
      const site = openFixture(() => answer);
      await site.renderPairs([site]);
    }
  });

  expect(changes).toEqual([1, 1, 1]);
  expect(await readMetric('site_renderers')).toBe(working);
});

test('threat 42: a long renderer output about many pages is processed in linear time', async () => {
  const { renderPairs, shell, folder } = openFixture(() => ({
    rendered: Array.from({ length: 300_000 }, () => ({ path: '', problem: '' })),
  }));
  const paths = Array.from({ length: 30_000 }, (_, nth) => `/${nth}`);
  const { thrown } = await renderPairs([{ shell, remote: put(folder, 'long', '1.0.0', paths) }]);

  expect(thrown).toHaveLength(paths.length);
});

test('the pairs of releases with the most visitors are rendered first', () => {
  const pairs = listPairs([
    ['tools', ['1.0.0', '1.1.0'].map((version) => buildRelease('tools', { version }))],
    ['shell', ['2.0.0', '2.1.0'].map((version) => buildRelease('shell', { version }))],
    ['companion', [buildRelease('companion', { version: '3.0.0' })]],
    ['marketing', []],
  ]);

  expect(pairs.map(nameOfPair)).toEqual([
    'tools@1.0.0 in shell@2.0.0',
    'companion@3.0.0 in shell@2.0.0',
    'tools@1.1.0 in shell@2.0.0',
    'tools@1.0.0 in shell@2.1.0',
    'companion@3.0.0 in shell@2.1.0',
    'tools@1.1.0 in shell@2.1.0',
  ]);
});

test('a shell with translations renders each pair of releases in every language, the original one first', () => {
  const shell = buildRelease('shell', { translations: { vi: { script: 'vi.js' } } });

  expect(
    listPairs([
      ['shell', [shell]],
      ['tools', [buildRelease('tools')]],
      ['companion', [buildRelease('companion')]],
    ]).map(nameOfPair),
  ).toEqual([
    'tools@0.1.0 in shell@0.1.0',
    'companion@0.1.0 in shell@0.1.0',
    'tools@0.1.0 in shell@0.1.0 (vi)',
    'companion@0.1.0 in shell@0.1.0 (vi)',
  ]);
});

test('nothing is rendered without a shell', () => {
  expect(listPairs([['tools', [buildRelease('tools')]]])).toEqual([]);
});

test.each([
  { where: 'a site with visitors', settings: PRODUCTION, said: 'lacks bubblewrap' },
  { where: 'a machine for development', settings: {}, said: 'was ended by code 1' },
])(
  'threat 42: on a site with visitors, code is not run where no sandbox is available: $where',
  async ({ settings, said }) => {
    const folder = makeFolder();
    const [shell, remote] = [putRelease(folder, 'shell', '1.0.0'), putRelease(folder, 'tools', '1.0.0', ['/a'])];
    // Bubblewrap cannot bind a missing program.
    const { renderPairs } = openPrerendering(parseEnv({ ...settings, DATA_DIR: folder }), folder, {
      releases: { folder, renderedFolder: join(folder, '.rendered') },
      settings: SITE_SETTINGS,
      warn: () => undefined,
    });

    expect((await renderPairs([{ shell, remote }])).failures).toEqual([expect.stringContaining(said)]);
  },
);

test('threat 42: on a site with visitors, an entry is not tried where no sandbox is available', async () => {
  const folder = makeFolder();
  const shell = {
    release: putRelease(folder, 'shell', '1.0.0', [], {}, SHELL_BUNDLE),
    folder: join(folder, 'shell/1.0.0'),
  };
  const remote = { release: putRelease(folder, 'tools', '1.0.0', ['/a']), folder: join(folder, 'tools/1.0.0') };
  const { tryEntry } = openPrerendering(parseEnv({ ...PRODUCTION, DATA_DIR: folder }), folder, {
    releases: { folder, renderedFolder: join(folder, '.rendered') },
    settings: SITE_SETTINGS,
    warn: () => undefined,
  });

  expect((await tryEntry?.(remote, shell))?.notices[0]).toContain('lacks bubblewrap');
});
