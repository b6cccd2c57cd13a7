import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { coloursIn, contrastOf } from './contrast.ts';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

const THEMES = ['dark', 'info', 'companion'] as const;
const ACCENTS = ['blue', 'red', 'green'] as const;
const APPS = ['v5', 'neo', 'v3', 'companion'] as const;
const SURFACES = ['--bg', '--surface', '--surface-2', '--surface-3'];
const READ = ['--text', '--text-quiet', '--danger', '--ok', '--warn', '--tint', '--accent'];

test('black on white is as far apart as colours can be', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
});

describe.each(THEMES.flatMap((theme) => ACCENTS.map((accent) => ({ theme, accent }))))(
  'in theme $theme with accent $accent',
  (looks) => {
    const colours = tokensOf(looks.theme, looks.accent);

    test.each(READ.flatMap((text) => SURFACES.map((surface) => ({ text, surface }))))(
      '$text is readable on $surface',
      ({ text, surface }) => {
        expect(contrastOf(colour(colours, text), colour(colours, surface))).toBeGreaterThanOrEqual(4.5);
      },
    );

    test('the words of a primary button are readable', () => {
      expect(contrastOf(colour(colours, '--accent-ink'), colour(colours, '--accent'))).toBeGreaterThanOrEqual(4.5);
    });
  },
);

test.each(APPS)('what the colour of %s draws is seen on every surface', (app) => {
  const base = coloursIn(css, ':root');
  const drawn = colour(coloursIn(css, `[data-app='${app}']`), '--app');

  for (const surface of SURFACES) expect(contrastOf(drawn, colour(base, surface))).toBeGreaterThanOrEqual(3);
});

/** Soft dark and blue are what stands at the root. */
function tokensOf(theme: (typeof THEMES)[number], accent: (typeof ACCENTS)[number]): Map<string, string> {
  return new Map([
    ...coloursIn(css, ':root'),
    ...(theme === 'dark' ? [] : coloursIn(css, `[data-theme='${theme}']`)),
    ...(accent === 'blue' ? [] : coloursIn(css, `[data-accent='${accent}']`)),
  ]);
}

function colour(colours: ReadonlyMap<string, string>, name: string): string {
  const found = colours.get(name);
  if (found === undefined) throw new Error(`The tokens have no ${name}`);

  return found;
}
