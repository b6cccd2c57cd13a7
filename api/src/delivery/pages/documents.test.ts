import { expect, test } from 'vitest';
import { type ReleaseSelection, selectReleases, findRoute } from '#api/delivery/serving/release-selection.ts';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { createDocuments, type DocumentsDeps } from './documents.ts';

const MB = 1_000_000;

function select(version = '0.1.0'): ReleaseSelection {
  const routes = [buildRoute('/plans', { css: ['plans.css'] })];
  return selectReleases(buildSnapshot([buildRelease('shell'), buildRelease('marketing', { version, routes })]));
}

/** The composing of documents; `find` gives the rendered pages. */
function open(
  find: NonNullable<DocumentsDeps['prerendering']>['find'],
  readStyle?: NonNullable<DocumentsDeps['readStyle']>,
) {
  const documents = createDocuments({
    settings: SITE_SETTINGS,
    baseUrl: () => 'https://site.example',
    prerendering: { find },
    readStyle,
  });
  return (pathAndQuery: string, selection = select(), language?: string) => {
    const found = findRoute(selection, '/plans');
    if (!found) throw new Error('No unit has the page.');
    return documents.get({ selection, ...found, pathAndQuery, language });
  };
}

async function textOf(document: ReturnType<ReturnType<typeof open>>): Promise<string> {
  return String(await (await document).encode('identity'));
}

test('addresses with a device, a zone or a refusal get separate documents, in any order of requests', async () => {
  const get = open((_shell, _remote, _path, device) => `<p>for ${device}</p>`);
  const selection = select();
  const addresses = ['', '?hwid=device-1', '?hwid=device-1&zone=z1', '?e=KS_FAST', '?hwid=device-2'];
  const documents = [];
  for (const query of addresses) {
    const text = await textOf(get(`/plans${query}`, selection));
    documents.push([/<html[^>]*? data-accent="\w+"(.*?)>/.exec(text)?.[1], /<p>(for .*?)<\/p>/.exec(text)?.[1]]);
  }

  expect(documents).toEqual([
    ['', 'for none'],
    [' data-device="device"', 'for device'],
    [' data-device="zoned"', 'for zoned'],
    [' data-refused', 'for none'],
    [' data-device="device"', 'for device'],
  ]);
});

test('each language has a separate document, in any order of requests', async () => {
  const get = open((_shell, _remote, _path, _device, language = 'the original') => `<p>in ${language}</p>`);
  const selection = select();
  const documents = [];
  for (const language of [undefined, 'vi', undefined, 'it']) {
    const text = await textOf(get('/plans', selection, language));
    documents.push([/<html lang="(\w+)"/.exec(text)?.[1], /<p>in (.*?)<\/p>/.exec(text)?.[1]]);
  }

  expect(documents).toEqual([
    ['en', 'the original'],
    ['vi', 'vi'],
    ['en', 'the original'],
    ['it', 'it'],
  ]);
});

test('the font stylesheet of a language is inlined in its document beside the others', async () => {
  const shell = buildRelease('shell', { translations: { vi: { script: 'vi.js', css: 'fonts.css' } } });
  const selection = selectReleases(
    buildSnapshot([shell, buildRelease('marketing', { routes: [buildRoute('/plans')] })]),
  );
  const get = open(
    () => '<p>rendered</p>',
    (_release, file) => Promise.resolve({ url: file, text: `/* ${file} */`, source: `'sha256-${file}'` }),
  );

  const stylesOf = async (language?: string) =>
    [...(await textOf(get('/plans', selection, language))).matchAll(/<style data-href="([^"]+)">/g)].map(
      ([, url]) => url,
    );
  expect(await stylesOf('vi')).toEqual(['static/css/shell.aaaaaaaa.css', 'fonts.css']);
  expect(await stylesOf()).toEqual(['static/css/shell.aaaaaaaa.css']);
});

test('visitors with different releases get different documents', async () => {
  const get = open((_shell, { version }) => `<p>${version}</p>`);
  const selections = ['0.1.0', '0.2.0', '0.1.0'].map(select);

  for (const selection of selections)
    expect(await textOf(get('/plans', selection))).toContain(
      `<p>${selection.units.get('marketing')?.release.version ?? ''}`,
    );
});

test('when a stylesheet cannot be inlined, all are linked, to preserve their order', async () => {
  const style = { url: '/releases/shell/0.1.0/static/css/shell.aaaaaaaa.css', text: 'a{}', source: "'sha256-x'" };
  const get = open(
    () => '<p>rendered</p>',
    ({ unit }) => Promise.resolve(unit === 'shell' ? style : undefined),
  );
  const document = await get('/plans');

  expect(document.styleSources).toEqual([]);
  expect(await textOf(get('/plans'))).toMatch(
    /<link rel="stylesheet" href="\/releases\/shell\/.*<link rel="stylesheet"/s,
  );
});

test('a document is composed again after a failed attempt', async () => {
  let isAway = true;
  const get = open(
    () => '<p>rendered</p>',
    () => (isAway ? Promise.reject(new Error('The disk is away.')) : Promise.resolve(undefined)),
  );
  const selection = select();

  await expect(get('/plans', selection)).rejects.toThrow('The disk is away.');
  isAway = false;
  expect(await textOf(get('/plans', selection))).toContain('<p>rendered</p>');
});

test('a document is compressed once', async () => {
  const get = open(() => '<p>rendered</p>');
  const selection = select();
  const [first, second] = [await get('/plans', selection), await get('/plans', selection)];

  expect(await second.encode('br')).toBe(await first.encode('br'));
});

test('threat 43: the total size of cached documents is bounded', async () => {
  let composed = 0;
  const get = open(() => (composed++, 'x'.repeat(8 * MB)));
  const selections = Array.from({ length: 8 }, () => select());
  for (const selection of [...selections, ...selections]) await get('/plans', selection);

  expect(composed).toBe(16);
});

test('a notice for QA is in no cached document', async () => {
  let composed = 0;
  const get = open(() => (composed++, '<p>rendered</p>'));
  const selection: ReleaseSelection = { ...select(), qa: { faults: {}, publicState: { pins: {}, notice: 'refused' } } };
  for (let nth = 0; nth < 3; nth++) await get('/plans', selection);

  expect(composed).toBe(3);
});

test('threat 43: an uncached document, which any forged cookie causes, is compressed less', async () => {
  const words = Array.from(
    { length: 2000 },
    (_, nth) => `<p class="a${nth % 7}">${((nth * 7919) % 10007) / 10007}</p>`,
  );
  const get = open(() => words.join(''));
  const shared = select();
  const once: ReleaseSelection = { ...shared, qa: { faults: {}, publicState: { pins: {}, notice: 'refused' } } };

  for (const coding of ['br', 'gzip'] as const) {
    const [forAll, forOne] = await Promise.all(
      [shared, once].map(async (selection) => (await get('/plans', selection)).encode(coding)),
    );
    expect(forOne?.length).toBeGreaterThan((forAll?.length ?? Infinity) * 1.02);
  }
});
