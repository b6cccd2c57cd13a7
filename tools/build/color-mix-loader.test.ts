import { expect, test } from 'vitest';
import colorMixLoader from './color-mix-loader.ts';

const UNMIXED = '@supports not (color: color-mix(in srgb, red, red))';

test.each([
  ['color: color-mix(in srgb, var(--a) 60%, white);', 'color: var(--a);'],
  ['color: color-mix(in srgb, var(--a) 50%, transparent);', 'color: transparent;'],
  ['color: color-mix(in srgb, var(--a) 51%, transparent);', 'color: var(--a);'],
  [
    'background:\n  linear-gradient(color-mix(in srgb, var(--a) 9%, var(--b)), color-mix(in srgb, rgb(1 2 3 / 0.5) 91%, red) 8px);',
    'background:\n  linear-gradient(var(--b), rgb(1 2 3 / 0.5) 8px);',
  ],
])('%s gets a fallback without color-mix', (declaration, unmixed) => {
  expect(colorMixLoader(`.a { ${declaration} top: 0; }`)).toBe(
    `.a { ${declaration} ${UNMIXED} { ${unmixed} } top: 0; }`,
  );
});

test('a declaration without color-mix stays as it is', () => {
  expect(colorMixLoader('.a { color: red; }')).toBe('.a { color: red; }');
});

test('color-mix without a percentage stops the build', () => {
  expect(() => colorMixLoader('.a { color: color-mix(in srgb, red, blue); }')).toThrow(
    'color: color-mix(in srgb, red, blue);',
  );
});
