import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { LAY_OUT_PART, layOutInParts } from './compose.ts';

const SCRIPT = `<script>${LAY_OUT_PART}</script>`;

test.each([
  ['the shell has not arrived', [], ['gone', 'laid out']],
  ['the shell has arrived and can start', [{}], ['gone']],
])(
  'the script removes itself, and forces the layout unless it would keep the shell waiting: %s',
  (_, arrived, expected) => {
    const done: string[] = [];
    const body = Object.defineProperty({}, 'offsetHeight', { get: () => done.push('laid out') });
    const document = {
      currentScript: { remove: () => done.push('gone') },
      querySelector: () => ({ src: '/releases/shell/shell.js' }),
      body,
    };
    runInNewContext(LAY_OUT_PART, {
      document,
      performance: { getEntriesByName: (name: string) => (name === '/releases/shell/shell.js' ? arrived : []) },
    });
    expect(done).toEqual(expected);
  },
);

test('a page is laid out in parts: navbar, header, each section, footer', () => {
  expect(
    layOutInParts(
      '<header>V5</header><main id="content"><header>$1</header><p>2</p><section id="a"><header>A</header></section>' +
        '<section>B</section></main><footer class="small">End</footer>',
    ),
  ).toBe(
    `<header>V5</header>${SCRIPT}<main id="content"><header>$1</header>${SCRIPT}<p>2</p>${SCRIPT}<section id="a">` +
      `<header>A</header></section>${SCRIPT}<section>B</section></main>${SCRIPT}<footer class="small">End</footer>`,
  );
});

test('a page without a header is laid out as well', () => {
  expect(layOutInParts('<header>V5</header><main><p>Key</p></main><footer>End</footer>')).toBe(
    `<header>V5</header>${SCRIPT}<main><p>Key</p></main>${SCRIPT}<footer>End</footer>`,
  );
});

test.each(['<main', '<main>', '<section>', '</header>'])(
  'threat 42: a page of nothing but %s is laid out in a hundred parts at most, and takes no longer than it is long',
  (tag) => {
    const rendered = layOutInParts(tag.repeat(200_000));
    expect(rendered.split(SCRIPT).length).toBeLessThanOrEqual(100);
    expect(rendered.replaceAll(SCRIPT, '')).toBe(tag.repeat(200_000));
  },
);

test('elements whose names only begin the same are no parts', () => {
  expect(layOutInParts('<section-list></section-list>')).toBe('<section-list></section-list>');
});
