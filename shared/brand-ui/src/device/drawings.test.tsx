import { cleanup, render } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { CompanionScreen } from './companion-screen.tsx';
import en from './messages/en.json';
import { NeoKey, NeoRun, NeoTwice } from './neo-parts.tsx';
import { NeoScreen } from './neo-screen.tsx';
import css from './device.module.css';
import { NeoStill, RedeemStill, ShortStill, V3Still, V5Still } from './stills.tsx';
import { V3Screen } from './v3-screen.tsx';
import { V5Answer, V5Explained, V5Fix, V5Running, V5Typing } from './v5-parts.tsx';
import { V5Screen } from './v5-screen.tsx';

const DRAWINGS: Record<string, ComponentType> = {
  ...{ CompanionScreen, NeoScreen, V3Screen, V5Screen },
  ...{ NeoKey, NeoRun, NeoTwice, V5Answer, V5Explained, V5Fix, V5Running, V5Typing },
  ...{ NeoStill, RedeemStill, ShortStill, V3Still, V5Still },
};

/** Names, and what the texts of pages in every language call by its English name. */
const STAYS = /^(?:Run|Script|Key|\w+\.lua|\/redeem|local|end|\W*\d[\d:%]*|[a-z]|\W+)$/;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each(Object.entries(DRAWINGS))(
  'on a page in another language %s has no English word but code',
  (_name, Drawing) => {
    const { '': catalogue, ...messages } = en as Record<string, string>;
    const texts = Object.fromEntries(Object.keys(messages).map((id) => [id, ['…']]));
    vi.stubGlobal('translations', { locale: 'vi', texts: { [catalogue!]: texts } });
    const { container } = render(
      <svg>
        <Drawing />
      </svg>,
    );

    const words = [...container.querySelectorAll('text')].filter((one) => !one.closest(`.${css['code']}`));
    expect(words.map(({ textContent }) => textContent).filter((text) => !STAYS.test(text))).toEqual([]);
  },
);
