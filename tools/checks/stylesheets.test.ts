import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPageWideStyles, THEME_PROPERTIES } from '../../shared/contracts/src/page-wide-styles.ts';

const SOURCES = ['shell/src', ...['remotes', 'shared'].flatMap((folder) => globSync(`${folder}/*/src`))];

/** A selector that is about what stands below the root or body, and chooses another element: `html:has(.a) .b`. */
const CHOOSES_BELOW =
  /(?:html|body|:root)(?::\w+(?:\([^()]*\))?)*:has\((?:[^()]|\([^()]*\))*\)\)?[ >+~]+[^\s{,][^{,]*/g;

/** What browsers do differently, and what to write instead. */
const DIFFERS = {
  // Safari does not know it, and cuts what is outside.
  'overflow-clip-margin': 'make the element as large as what it shows',
  // What is laid out only when it comes near moves what is read, and Safari does not keep that in its place.
  'contain-intrinsic': 'lay it out with the page',
  // Safari keeps a legend on the border of its field set, floating or not.
  float: 'use a grid; give the border to an element around the field set',
};

const files = SOURCES.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => join(folder, name)),
);
const rulesOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');

test.each(Object.entries(DIFFERS))('no stylesheet has %s: %s', (property) => {
  const declared = new RegExp(`[;{\\s]${property}[\\w-]*\\s*:`);

  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => declared.test(rulesOf(file)))).toEqual([]);
});

// With this selector a browser computes the style of every element anew whenever anything is added to the page, which
// takes a slow phone a tenth of a second. A custom property of the root does the same for nothing.
test('no stylesheet makes all elements depend on what is in the page', () => {
  const found = files.flatMap((file) =>
    [...rulesOf(file).matchAll(CHOOSES_BELOW)].map(([selector]) => `${file}: ${selector.trim()}`),
  );

  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

// A rule that stops it loses to a stronger selector that starts it.
test('no stylesheet stops an animation for reduced motion: it is started where there is no preference', () => {
  expect(files.filter((file) => /animation(?:-name)?:\s*none/.test(rulesOf(file)))).toEqual([]);
});

// A `ch` is as wide as a digit of the font that is there. When the brand's font comes, all lines would break anew.
test('no column is as wide as a number of digits: use em', () => {
  expect(files.filter((file) => /max-width:[^;]*\dch\b/.test(rulesOf(file)))).toEqual([]);
});

// The site refuses a remote with such rules. The root is the shell's.
test('no stylesheet of a unit styles pages of others, except those of the design tokens', () => {
  const ofUnits = files.filter(
    (file) => !/^shared\/(?:design-system\/src\/tokens|brand-ui\/src\/colours\.css)/.test(file),
  );
  const found = ofUnits.flatMap((file) =>
    findPageWideStyles(readFileSync(file, 'utf8'), { isSource: true }).map(
      ({ line, what }) => `${file}:${String(line)}: ${what}`,
    ),
  );

  expect(ofUnits.length).toBeGreaterThan(100);
  expect(found.filter((line) => !/^shell\/.*: html:has\(/.test(line))).toEqual([]);
});

test('the custom properties of the site are those that the shell gives', () => {
  const { gives } = JSON.parse(readFileSync('shared/contracts/host-api.json', 'utf8')) as { gives: object };

  expect([...THEME_PROPERTIES]).toEqual(Object.keys(gives).filter((name) => name.startsWith('--')));
});
