import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = [
  'shell/src',
  ...['remotes', 'shared'].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name, 'src'))),
];

/** A selector that is about what stands below the root or body, and chooses another element: `html:has(.a) .b`. */
const CHOOSES_BELOW =
  /(?:html|body|:root)(?::\w+(?:\([^()]*\))?)*:has\((?:[^()]|\([^()]*\))*\)\)?[ >+~]+[^\s{,][^{,]*/g;

// With such a selector a browser computes the style of every element anew whenever anything is added to the page, which
// takes a slow phone a tenth of a second. A custom property of the root does the same for nothing.
test('no stylesheet makes all elements depend on what is in the page', () => {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.css'))
      .map((name) => join(folder, name)),
  );
  const found = files.flatMap((file) => {
    const rules = readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    return [...rules.matchAll(CHOOSES_BELOW)].map(([selector]) => `${file}: ${selector.trim()}`);
  });

  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
