import { expect, test } from 'vitest';
import { fillEarlyLinks, FILL_EARLY_LINK } from './early-links.ts';

const SCRIPT = `<script>${FILL_EARLY_LINK}</script>`;
const LINK =
  '<a class="b" role="link" aria-disabled="true" data-early="/api/keysystemv2?hwid&amp;step=2"><span>Go <b>on</b></span></a>';

test('the script directly follows the link that it fills', () => {
  expect(fillEarlyLinks(`<p><a href="/v5">V5</a>${LINK}</p><a href="/neo">NEO</a>`)).toBe(
    `<p><a href="/v5">V5</a>${LINK}${SCRIPT}</p><a href="/neo">NEO</a>`,
  );
});

test('each early link of a page has a script of its own', () => {
  expect(fillEarlyLinks(`<p>${LINK}</p><p>${LINK}</p>`)).toBe(`<p>${LINK}${SCRIPT}</p><p>${LINK}${SCRIPT}</p>`);
});

test('a page without an early link is unchanged', () => {
  const page = '<a href="/v5">data-early=</a>';
  expect(fillEarlyLinks(page)).toBe(page);
});

test('the script takes less than 1 KB', () => {
  expect(FILL_EARLY_LINK.length).toBeLessThan(1000);
  expect(FILL_EARLY_LINK).not.toContain('</script');
});

test.each(['<a data-early="', '<a ', '<a data-early="">', '<a data-early=""></a>'])(
  'threat 42: a page of nothing but %s gets a bounded number of scripts, in linear time',
  (part) => {
    const page = part.repeat(20_000);
    const filled = fillEarlyLinks(page);
    expect(filled.replaceAll(SCRIPT, '')).toBe(page);
    expect(filled.split(SCRIPT).length).toBeLessThan(20);
  },
);
