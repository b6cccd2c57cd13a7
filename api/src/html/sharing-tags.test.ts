import { expect, test } from 'vitest';
import { listCanonicalPaths } from './sharing.ts';
import { sharingTags } from './sharing-tags.ts';

const BASE = 'https://site.example';

test('a landing page is described, shared with its picture and known under one address', () => {
  for (const path of ['/', '/index', '/v5']) {
    const tags = sharingTags(path, BASE);

    expect(tags).toContain('<meta name="description" content="The first executor with an AI assistant inside');
    expect(tags).toContain('<link rel="canonical" href="https://site.example/">');
    expect(tags).toContain('<meta property="og:image" content="https://site.example/share/v5.jpg">');
    expect(tags).toContain('<meta name="twitter:card" content="summary_large_image">');
    expect(tags).not.toContain('noindex');
  }
});

test('an app is described for search engines', () => {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(sharingTags('/neo', BASE))?.[1] ?? '';

  expect(JSON.parse(json)).toMatchObject({ '@type': 'SoftwareApplication', name: 'Arceus X NEO', operatingSystem: 'Android, iOS' });
});

test.each(['/key-system-1', '/rosaverx/key-system-getkey', '/successV5', '/payment-failed', '/gate', '/resetsuccessV5'])(
  '%s is for one visitor, so no search engine lists it',
  (path) => {
    expect(sharingTags(path, BASE)).toContain('<meta name="robots" content="noindex">');
    expect(sharingTags(path, BASE)).not.toContain('canonical');
  },
);

test('the paths that search engines know name each page once', () => {
  expect(listCanonicalPaths()).toEqual(['/', '/neo', '/arceusxv3', '/plans', '/resellers', '/rosaverx', '/encrypter', '/check-key', '/developers', '/errors', '/privacy-policy', '/portfolio']);
});
