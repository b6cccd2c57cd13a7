import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import confinedStylesLoader from './confined-styles-loader.ts';

const STYLESHEETS = [
  'design-system/src/tokens/tokens.css',
  'design-system/src/tokens/elements.css',
  'brand-ui/src/colours.css',
];

test('rules for the root, the body and elements become those of one element and of what is in it', () => {
  const confined = confinedStylesLoader(`@layer tokens, base;
@import './font.css';

@layer base {
  :root {
    --bg: black;
  }

  body {
    color: red;
  }

  h1 {
    margin: 0;
  }

  [data-theme='info'] {
    --tint: blue;
  }
}
`);

  expect(confined.replaceAll(/\s+/g, ' ').trim()).toBe(
    "@layer tokens, base; @layer base { [data-site-styles] { & { --bg: black; } & { color: red; } h1 { margin: 0; } &[data-theme='info'], [data-theme='info'] { --tint: blue; } } }",
  );
});

test.each(STYLESHEETS)('nothing in %s is left that chooses an element outside of the page', (file) => {
  const confined = confinedStylesLoader(readFileSync(`shared/${file}`, 'utf8'));

  expect(confined).not.toMatch(/:root|\b(?:html|body)\b(?=[^{};]*\{)|@import|@font-face|@keyframes/);
  expect(confined.match(/^@layer \w+ \{/gm)).toHaveLength(1);
});

test('a stylesheet without a layer stops the build', () => {
  expect(() => confinedStylesLoader('h1 { margin: 0 }')).toThrow('in one layer');
});
