import { expect, test } from 'vitest';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { sharingTags } from './compose.ts';

const BASE = 'https://site.example';

test('a landing page is described, shared with its picture and known under one address', () => {
  const tags = sharingTags(
    buildRoute('/v5', { description: 'The first "executor".', picture: 'v5', canonical: '/' }),
    BASE,
  );

  expect(tags).toContain('<meta name="description" content="The first &quot;executor&quot;.');
  expect(tags).toContain('<link rel="canonical" href="https://site.example/">');
  expect(tags).toContain('<meta property="og:image" content="https://site.example/share/v5.jpg">');
  expect(tags).toContain('<meta name="twitter:card" content="summary_large_image">');
  expect(tags).not.toContain('noindex');
});

test('a page is shared under a title of its own, which is not the title of its document', () => {
  expect(sharingTags(buildRoute('/plans', { shareTitle: 'Plans' }), BASE)).toContain(
    '<meta property="og:title" content="Plans">',
  );
});

test('a page of an earlier release is shared under the title of its document', () => {
  const earlier = buildRoute('/plans');
  delete earlier.shareTitle;

  expect(sharingTags(earlier, BASE)).toContain('<meta property="og:title" content="Arceus Team | Upgrade plan">');
});

test('a shared picture has its size and says what it shows', () => {
  const tags = sharingTags(buildRoute('/neo', { picture: 'neo' }), BASE);

  expect(tags).toContain('<meta property="og:image:width" content="1200">');
  expect(tags).toContain('<meta property="og:image:height" content="630">');
  expect(tags).toMatch(/<meta property="og:image:alt" content="[^"]*NEO on a phone[^"]*">/);
});

test('a picture that is named like a member of every object has no alternative text', () => {
  expect(sharingTags(buildRoute('/neo', { picture: 'constructor' }), BASE)).not.toContain('og:image:alt');
});

test('an app is described for search engines', () => {
  const route = buildRoute('/neo', { app: { name: 'Arceus X NEO', operatingSystem: 'Android, iOS' } });
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(sharingTags(route, BASE))?.[1] ?? '';

  expect(JSON.parse(json)).toMatchObject({
    '@type': 'SoftwareApplication',
    name: 'Arceus X NEO',
    operatingSystem: 'Android, iOS',
  });
});

test('a page for one visitor is not indexed', () => {
  const tags = sharingTags(buildRoute('/key-system-1', { canonical: null }), BASE);

  expect(tags).toContain('<meta name="robots" content="noindex">');
  expect(tags).not.toContain('canonical');
});
