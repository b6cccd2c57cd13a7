import { expect, test } from 'vitest';
import type { Release } from '../../shared/contracts/src/release.ts';
import { editPage, findIncompatibility } from './edited-unit.ts';
import { buildRelease, HTML, RESOLUTION } from './test/sample-site.ts';

test('before the first build a page stays as the site made it, but waits for one', () => {
  const html = editPage(HTML, { unit: 'news', version: '1.0.0', folder: '' }, '/news');

  expect(html.replace(/<script src="\/dev.*\n/, '')).toBe(HTML);
});

test('a shell takes the place of the site’s shell in the HTML', () => {
  const release: Release = { ...buildRelease(), unit: 'shell', css: ['own.css'] };
  const html = editPage(HTML, { unit: 'shell', version: release.version, folder: '', release }, '/news');

  expect(html).not.toContain('/releases/shell/1.0.0');
  expect(html).toContain('<link rel="stylesheet" href="/releases/shell/0.1.0-dev.working-copy/own.css">');
  expect(html).toContain('<script defer src="/releases/shell/0.1.0-dev.working-copy/entry.js"></script>');
});

test('what the site has rendered ahead of time, and its stylesheets, go: the working copy renders in the browser', () => {
  const rendered = HTML.replace(
    '</head>',
    '<style data-href="/releases/news/1.0.0/page.css">.a{}</style>\n<style data-href="/releases/shell/1.0.0/a.css">.b{}</style></head><body><div id="root"><div data-unit="news"><p>Old</p></div></div>\n<p class="boot">…</p></body>',
  );
  const edited = { unit: 'news', version: '0.1.0-dev.working-copy', folder: '', release: buildRelease() };
  const html = editPage(rendered, edited, '/news');

  expect(html).toContain('<div id="root"></div>\n<p class="boot">');
  expect(html).not.toContain('.a{}');
  expect(html).toContain('.b{}');
});

test.each<[string, Partial<Release>, string | undefined]>([
  ['2.2', {}, undefined],
  ['2.3', {}, 'news@0.1.0-dev.working-copy requires host API 2.3, the shell provides 2.2 (shell@1.0.0 of the site)'],
  [
    '3.0',
    { unit: 'shell' },
    'news@1.0.0 of the site requires host API 2.1, the shell provides 3.0 (shell@0.1.0-dev.working-copy)',
  ],
])('with host API %s and %o it does not fit because: %s', (version, changes, problem) => {
  expect(findIncompatibility(RESOLUTION, { ...buildRelease(), ...changes, contract: { version } })).toBe(problem);
});
