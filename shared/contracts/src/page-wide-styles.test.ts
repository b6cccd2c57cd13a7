import { expect, test } from 'vitest';
import { findPageWideStyles } from './page-wide-styles.ts';

const problemsIn = (css: string, isSource = false) => findPageWideStyles(css, { isSource }).map(({ what }) => what);

/** Selectors that may style elements of other pages, once the page that brought them was left. */
const PAGE_WIDE = [
  'h1',
  '*',
  ':root',
  'html',
  'BODY',
  'bod\\79',
  '::selection',
  ':not(.mine)',
  ':has(.mine)',
  '*:has(.mine)',
  'html:has(.mine)',
  'body:has(.mine)',
  'html.mine',
  'html.mine h1',
  '.mine body',
  '.mine > body h1',
  ':is(html, body).mine',
  ':is(.mine, h1)',
  ':where(h1, .mine) b',
  ':nth-child(1 of .mine)',
  'main:has(:is(.mine, h1))',
  'main:not(.mine) h1',
  '[class]',
  "[href='/a']",
  "[data-theme='dark'] h1",
  '[data-unit] h1',
  '[data-refused] h1',
  '[data-started] h1',
  '[data-failed] h1',
  '#root h1',
  '#content h1',
  'svg|a',
  ':scope h1',
  ':scope.mine h1',
  '& h1',
  'h1, .mine',
  '.mine:is(body)',
];

/** Selectors of which a part has to be in the unit. */
const SCOPED_SELECTORS = [
  '.mine',
  '.mine h1',
  'h1.mine',
  '#mine > *',
  "[data-mine='a'] h1",
  '[DATA-MINE] h1',
  'html .mine',
  "html[data-theme='dark'] .mine",
  'body > .mine::before',
  '.mine + details',
  '.mine ~ * *',
  'main:has(> .mine) h1',
  ':is(.mine, #mine) h1',
  ':is(.mine b, .mine i)',
  ':where(.mine):not(h1) > svg|a',
  'my-element',
  ':host(.dark) h1',
  '.\\31 0:hover',
  '.mine:nth-child(2n + 1 of h1)',
];

test.each(PAGE_WIDE)('rejects the page-wide selector %s', (selector) => {
  expect(problemsIn(`${selector} { color: red !important }`)).toEqual([
    expect.stringMatching(/styles the page outside of the unit: begin with a class of yours$/),
  ]);
});

test.each(SCOPED_SELECTORS)('accepts the scoped selector %s', (selector) => {
  expect(problemsIn(`${selector} { color: red }`)).toEqual([]);
});

test.each([
  ['in a group', '@media print { @supports (color: red) { @layer a.b { h1 { color: red } } } }', 'h1'],
  ['in a rule', 'main { h1 { color: red } }', 'h1'],
  ['in a rule of which one selector is the unit’s', '.mine, main { h1 { color: red } }', 'h1'],
  ['in a rule of the root', 'html { & > h1 { color: red } }', '& > h1'],
  ['in a rule behind the root', '.mine { body & { color: red } html &, b { color: red } body { color: red } }', 'body'],
  ['within another one', '.mine { html:not(&) :is(h1) { color: red } }', 'html:not(&) :is(h1)'],
  ['whose declarations are in a group', 'h1 { @media print { color: red } }', 'h1'],
  ['behind a declaration', 'main { --a: { b: c }; h1:hover { color: red } }', 'h1:hover'],
  ['behind a comment', '/* .mine */ h1 /* .mine */ { color: red }', 'h1'],
  ['behind a string with braces', '.mine { content: "}{" } h1 { color: red }', 'h1'],
])('finds a page-wide selector %s', (_where, css, selector) => {
  expect(problemsIn(css)).toEqual([`${selector} styles the page outside of the unit: begin with a class of yours`]);
});

test('accepts nested rules in a scoped rule', () => {
  expect(
    problemsIn('.mine { h1 { color: red } > h2, & + h3, .dark & { color: red } @media print { b { color: red } } }'),
  ).toEqual([]);
});

test.each(['.mine > { color: red }', '> h1 { color: red }', '. { color: red }', '.a / b { color: red }'])(
  'rejects %s, which browsers may parse differently',
  (css) => {
    expect(problemsIn(css)).toEqual([expect.stringContaining('is no selector that can be read here')]);
  },
);

test.each(['@media print { h1 { color: red', 'h1 { } } h2 { color: red }'])('rejects unreadable CSS: %s', (css) => {
  expect(problemsIn(css)).toEqual([expect.stringContaining('cannot be read')]);
});

test('custom properties of the unit may be set anywhere, those of the site only within the unit', () => {
  expect(problemsIn(':root, *, ::before { --mine: 1px; --tw-shadow: 0 0 #0000 }')).toEqual([]);
  expect(problemsIn('.mine { --accent: red }')).toEqual([]);
  expect(problemsIn(':root { --mine: 1px; --accent: red }')).toEqual([
    ':root changes --accent of the site: set it on a class of yours',
  ]);
  expect(problemsIn(':root { --mine: 1px; color-scheme: dark }')).toHaveLength(1);
});

test.each([
  ['@property --mine { syntax: "*"; inherits: false }', undefined],
  ['@property --accent { syntax: "*"; inherits: false }', '@property --accent is one of the site'],
  ['@font-face { font-family: Mine; src: url(mine.woff2) }', undefined],
  [
    '@font-face { src: url(mine.woff2); font-family: "Sora Variable" }',
    '@font-face "Sora Variable" is a font of the site',
  ],
  ['@font-face { font-family: Figtree Variable }', '@font-face Figtree Variable is a font of the site'],
  ['@-moz-keyframes turn { from { top: 0 } }', undefined],
  ['@font-face { font-family: Sora  Variable }', '@font-face Sora Variable is a font of the site'],
  ['@keyframes turn { from { top: 0 } 50.5% { top: 1px } }', undefined],
  ['@-webkit-keyframes turn { from { top: 0 } }', undefined],
  ['@starting-style { .mine { opacity: 0 } }', undefined],
  ['@layer mine, more;', undefined],
  ['@charset "utf-8";', undefined],
  ['@import "./more.css";', '@import "./more.css" brings styles'],
  ['@font-face { font-family: "Sora on Arial" }', '@font-face "Sora on Arial" is a font of the site'],
  ['@namespace svg url(x);', '@namespace is about the whole page'],
  ['@page { margin: 0 }', '@page is about the whole page'],
  ['@view-transition { navigation: auto }', '@view-transition is about the whole page'],
  ['@scope (.mine) { h1 { color: red } }', '@scope is unknown to the oldest browsers of the site'],
  ['@tailwind utilities;', '@tailwind is left, which is no CSS: it wants PostCSS or Tailwind'],
  ['.mine { @apply flex; }', '@apply is left'],
  ['@theme { --color-mine: red }', '@theme is left'],
])('the at-rule %s: %s', (css, what) => {
  expect(problemsIn(css)).toEqual(what === undefined ? [] : [expect.stringContaining(what)]);
});

test('ignores a source map in a stylesheet', () => {
  expect(problemsIn('.mine { color: red }\n/*# sourceMappingURL=data:application/json;charset=utf-9,%7B */')).toEqual(
    [],
  );
});

test('in a source file a relative import is accepted and one from another site is rejected', () => {
  expect(problemsIn('@import "./more.css"; @import url("more/more.css");', true)).toEqual([]);
  expect(problemsIn('@import "https://cdn.example/a.css"; @import url(//cdn.example/b.css);', true)).toHaveLength(2);
});

test('a problem names line and column, and shortens the selector to one line', () => {
  const css = `.mine { color: red }\n\n  ${'h1 '.repeat(50)}{ color: red }`;

  expect(findPageWideStyles(css)).toEqual([
    { line: 3, column: 3, what: expect.stringMatching(/^(?:h1 ){26}h1… styles/) as string },
  ]);
});

test('control characters are stripped from problems', () => {
  expect(problemsIn('@tail\u001b\u202ewind utilities;')).toEqual([expect.stringMatching(/^@tail wind is left/)]);
});

test('rejects CSS that is nested too deeply, and reports only the first of many problems', () => {
  const deeply = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);

  expect(problemsIn(deeply('@media print {', '}'))).toEqual(['is nested too deeply']);
  expect(problemsIn(`.mine { ${deeply('@media print {', '}')} }`)).toEqual(['is nested too deeply']);
  expect(problemsIn(`h1${deeply(':is(', ')')} {}`)).toEqual(['is nested too deeply']);
  expect(problemsIn('h1 { color: red }'.repeat(10_000))).toHaveLength(20);
  // Were each place counted from the beginning of the file, this would take minutes.
  expect(problemsIn(`${'h1,'.repeat(70_000)}h1 { color: red }`)).toHaveLength(20);
});
