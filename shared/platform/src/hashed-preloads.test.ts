import { expect, test } from 'vitest';
import hashedPreloads from './hashed-preloads.ts';

const manifestUrl = 'https://site.example/releases/news/1.0.0/mf-manifest.json';

test('a preload gets the hash of its file from the manifest only', () => {
  const plugin = hashedPreloads();
  plugin.loadRemoteSnapshot({ manifestUrl, manifestJson: { integrity: { 'static/js/a.js': 'sha384-A' } } });
  const attrs = { rel: 'preload' };

  plugin.createLink({ url: 'https://site.example/releases/news/1.0.0/static/js/a.js', attrs });
  expect(attrs).toEqual({ rel: 'preload', integrity: 'sha384-A', crossorigin: 'anonymous' });

  plugin.createLink({ url: 'https://other.example/static/js/a.js', attrs });
  expect(attrs).not.toHaveProperty('integrity');
});

test.each([{}, { integrity: null }])('the manifest %j of another build has no hashes', (manifestJson) => {
  const snapshot = { manifestUrl, manifestJson };

  expect(hashedPreloads().loadRemoteSnapshot(snapshot)).toBe(snapshot);
});
