import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseReleases, type Choice } from '#api/features/releases/choose-releases.ts';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/build-release.ts';
import { SITE_SETTINGS } from '#api/test/site-settings.ts';
import { createDocuments } from './documents.ts';

const HTML = Array.from({ length: 2000 }, (_, nth) => `<p class="a${nth % 7}">${((nth * 7919) % 10007) / 10007}</p>`);

/** Does something some times; returns the shortest time, which other processes have lengthened least. */
async function measure(work: () => unknown): Promise<number> {
  const times = [];
  for (let nth = 0; nth < 12; nth++) {
    const begunAt = performance.now();
    await work();
    times.push(performance.now() - begunAt);
  }
  return Math.min(...times);
}

function openDocuments() {
  const release = buildRelease('marketing', { routes: [buildRoute('/plans')] });
  const [route] = release.routes;
  if (!route) throw new Error('The release has a page');
  const shared = chooseReleases(buildSnapshot([buildRelease('shell'), release]));
  const documents = createDocuments({
    settings: SITE_SETTINGS,
    baseUrl: () => 'https://site.example',
    prerendering: { find: () => HTML.join('') },
  });
  const compose = (choice: Choice = shared) => documents.get({ choice, release, route, pathAndQuery: route.path });
  return { compose, shared };
}

test('threat 43: visitors who ask for all documents of a page have little of it compressed by force', async () => {
  const content = await (await openDocuments().compose()).encode('identity');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };

  const most = await measure(() => brotliCompressSync(content, { params }));
  expect(await measure(async () => (await openDocuments().compose()).encode('br'))).toBeLessThan(most / 2);
});

test('threat 43: what is sent once, with a cookie that anybody can write, is hardly compressed', async () => {
  const { compose, shared } = openDocuments();
  const ended = { ...shared, qa: { faults: {}, told: { pins: {}, notice: 'What was pinned has ended.' } } };

  for (const coding of ['br', 'gzip'] as const) {
    const [forAll, forOne] = await Promise.all(
      [shared, ended].map(async (choice) => (await compose(choice)).encode(coding)),
    );
    expect(forOne?.length).toBeGreaterThan((forAll?.length ?? Infinity) * 1.02);
  }
});
