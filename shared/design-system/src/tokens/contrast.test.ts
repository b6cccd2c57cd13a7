import { describe, expect, test } from 'vitest';
import { colourIn, coloursIn, contrastOf } from './contrast.ts';
import css from './tokens.css?raw';

const THEMES = ['dark', 'info'] as const;
const ACCENTS = ['blue', 'red', 'green'] as const;
const SURFACES = ['--bg', '--surface', '--surface-2', '--surface-3'];
const TEXT_COLOURS = ['--text', '--text-quiet', '--danger', '--ok', '--warn', '--tint', '--accent'];

test('black on white has the highest contrast', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
});

describe.each(THEMES.flatMap((theme) => ACCENTS.map((accent) => ({ theme, accent }))))(
  'in theme $theme with accent $accent',
  ({ theme, accent }) => {
    const colours = tokensOf(theme, accent);

    test.each(TEXT_COLOURS.flatMap((text) => SURFACES.map((surface) => ({ text, surface }))))(
      '$text is readable on $surface',
      ({ text, surface }) => {
        expect(contrastOf(colourIn(colours, text), colourIn(colours, surface))).toBeGreaterThanOrEqual(4.5);
      },
    );

    test('the text of a primary button is readable', () => {
      expect(contrastOf(colourIn(colours, '--accent-ink'), colourIn(colours, '--accent'))).toBeGreaterThanOrEqual(4.5);
    });
  },
);

/** The tokens of a theme and accent. `:root` has the tokens of the dark theme and the blue accent. */
function tokensOf(theme: (typeof THEMES)[number], accent: (typeof ACCENTS)[number]): Map<string, string> {
  return new Map([
    ...coloursIn(css, ':root'),
    ...(theme === 'dark' ? [] : coloursIn(css, `[data-theme='${theme}']`)),
    ...(accent === 'blue' ? [] : coloursIn(css, `[data-accent='${accent}']`)),
  ]);
}
