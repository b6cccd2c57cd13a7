import { colourIn, coloursIn, contrastOf } from '@app/design-system/contrast';
import tokens from '@app/design-system/tokens.css?raw';
import { expect, test } from 'vitest';
import { APP_NAMES } from './app-name.ts';
import css from './colours.css?raw';

const SURFACES = ['--bg', '--surface', '--surface-2', '--surface-3'];
const baseColours = coloursIn(tokens, ':root');

test.each(APP_NAMES.filter((app) => app !== 'v5'))('the colour %s has enough contrast on every surface', (app) => {
  const drawn = colourIn(coloursIn(css, `[data-app='${app}']`), '--app');

  for (const surface of SURFACES) expect(contrastOf(drawn, colourIn(baseColours, surface))).toBeGreaterThanOrEqual(3);
});

test('V5 is drawn in the accent of the address', () => {
  expect(css).toContain("[data-app='v5'] {\n    --app: var(--accent);");
});

test.each(SURFACES)('the tint of the companion is readable on %s', (surface) => {
  const tint = colourIn(coloursIn(css, "[data-theme='companion']"), '--tint');

  expect(contrastOf(tint, colourIn(baseColours, surface))).toBeGreaterThanOrEqual(4.5);
});
