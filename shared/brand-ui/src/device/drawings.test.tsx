import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Drawing } from './drawing.tsx';
import en from './messages/en.json';

const { '': catalogue, ...messages } = en as Record<string, string>;
const DRAWINGS = import.meta.glob('./*.svg', { query: '?raw', import: 'default', eager: true });

/** Names, and what the texts of pages in every language call by its English name. */
const UNTRANSLATED_PATTERN = /^(?:Run|Script|Key|\w+\.lua|\/redeem|local|end|\W*\d[\d:%]*|[a-z]|\W+)$/;

function translate(texts: Readonly<Record<string, readonly string[]>>): void {
  vi.stubGlobal('translations', { locale: 'vi', texts: { [catalogue!]: texts } });
}

test.each(Object.entries(DRAWINGS))('%s shows no English words outside code on a translated page', (_file, svg) => {
  translate(Object.fromEntries(Object.keys(messages).map((id) => [id, ['…']])));
  const { container } = render(
    <svg>
      <Drawing svg={svg} />
    </svg>,
  );

  const words = [...container.querySelectorAll('text')].filter(
    (one) => !one.closest('[font-family="var(--font-code)"]'),
  );
  expect(words.map(({ textContent }) => textContent).filter((text) => !UNTRANSLATED_PATTERN.test(text))).toEqual([]);
});

test('drawings have exactly the texts of the catalogue', () => {
  const ids = Object.values(DRAWINGS).flatMap((svg) => [...svg.matchAll(/\{([^}]*)\}/g)].map(([, id]) => id));
  expect([...new Set(ids)].sort()).toEqual(Object.keys(messages).sort());
});

test('a translated text stays text', () => {
  translate({ speed: ['<b>&amp;'] });
  const { container } = render(
    <svg>
      <Drawing svg="<text>{speed}</text>" />
    </svg>,
  );
  expect(container.textContent).toBe('<b>&amp;');
});
