import type { Release } from '../../shared/contracts/src/release.ts';
import type { Resolution } from '../../shared/contracts/src/resolution.ts';

/** For tests: a site with a shell and a remote, and a build of the remote from a working copy. */
export const CODE = 'globalThis.edited = true;';

export const RESOLUTION: Resolution = {
  revision: 7,
  units: {
    shell: {
      version: '1.0.0',
      source: 'stable',
      entry: { url: '/releases/shell/1.0.0/shell.js', integrity: 'sha384-a' },
      contract: '2.2',
      routes: ['/qa'],
    },
    news: {
      version: '1.0.0',
      source: 'stable',
      entry: { url: '/releases/news/1.0.0/entry.js', integrity: 'sha384-b', globalName: 'news_1' },
      contract: '2.1',
      routes: ['/news'],
      lastGood: { version: '0.9.0', entry: { url: '/releases/news/0.9.0/entry.js', integrity: 'sha384-c' } },
    },
  },
};

export const HTML = `<!doctype html><html><head><title>News</title>
<link rel="stylesheet" href="/releases/shell/1.0.0/shell.css" integrity="sha384-a">
<link rel="preload" as="style" href="/releases/news/1.0.0/page.css" integrity="sha384-d">
<link rel="preload" as="script" href="/releases/news/1.0.0/entry.js" integrity="sha384-b">
<script id="resolution" type="application/json">${JSON.stringify(RESOLUTION)}</script>
<script defer src="/releases/shell/1.0.0/shell.js" integrity="sha384-a"></script>
</head></html>`;

export function buildRelease(): Release {
  const line = { description: 'News.', picture: 'tools', canonical: null, preload: [], css: [] };
  return {
    unit: 'news',
    version: '0.1.0-dev.working-copy',
    commit: null,
    contract: { version: '2.2' },
    entry: { file: 'entry.js', integrity: 'sha384-own', globalName: 'news_own' },
    css: [],
    routes: [
      { ...line, path: '/news', title: '' },
      { ...line, path: '/news/today', title: 'Today' },
    ],
    files: { 'entry.js': { sha384: 'own', bytes: CODE.length } },
  };
}
