import type { Browser } from 'playwright-core';
import { COMPANION, PRODUCT, TEAM_PREFIX } from '../../shared/contracts/src/brand.ts';
import type { SharePicture } from '../../shared/contracts/src/pages.ts';
import { formatPrice, PLANS } from '../../shared/contracts/src/plans.ts';
import { RUN_KEY, runKeyTeeth } from '../../shared/contracts/src/run-key-shape.ts';
import { STYLE } from './share-style.ts';

const WIDTH = 1200;
const HEIGHT = 630;

/** What a picture shows: words at its left edge, and beside them a phone, the plans, the key, the shops' logos or all marks. */
interface Subject {
  /** Whose mark, colours and phone the picture has. */
  app: 'v5' | 'neo' | 'v3' | 'companion';
  /** A line above the title. */
  over: string;
  title: string;
  line: string;
  /** Short facts under the line. */
  facts?: string[];
  /** The number of steps, drawn as the teeth of a key. */
  steps?: number;
  art: 'phone' | 'plans' | 'key' | 'shops' | 'marks';
}

const SUBJECTS: Record<SharePicture, Subject> = {
  v5: {
    app: 'v5',
    over: PRODUCT.label,
    title: 'V5',
    line: 'The first executor with an AI assistant inside',
    facts: ['Android'],
    art: 'phone',
  },
  neo: {
    app: 'neo',
    over: PRODUCT.label,
    title: 'NEO',
    line: 'Small, quick and free of charge',
    facts: ['Free', 'Android', 'iOS'],
    art: 'phone',
  },
  v3: {
    app: 'v3',
    over: PRODUCT.label,
    title: 'V3',
    line: 'The edition that came before',
    facts: ['Discontinued', 'Android'],
    art: 'phone',
  },
  plans: {
    app: 'v5',
    over: PRODUCT.label,
    title: 'Plans',
    line: 'Play without the key system',
    art: 'plans',
  },
  resellers: {
    app: 'v5',
    over: `${PRODUCT.label} V5`,
    title: 'Resellers',
    line: 'Official approved resellers',
    facts: ['Official Store'],
    art: 'shops',
  },
  companion: {
    app: 'companion',
    over: 'Companion app',
    title: COMPANION.label,
    line: 'Up to 40% back on marketplace purchases',
    facts: ['Free', 'Android'],
    art: 'phone',
  },
  'key-system': {
    app: 'neo',
    over: PRODUCT.label,
    title: 'Free key',
    line: 'Six steps open the app for 24 hours',
    steps: 6,
    art: 'key',
  },
  'companion-key': {
    app: 'companion',
    over: COMPANION.label,
    title: 'Free key',
    line: 'Three steps open the app for 24 hours',
    steps: 3,
    art: 'key',
  },
  tools: {
    app: 'v5',
    over: 'From the makers',
    title: TEAM_PREFIX,
    line: 'Tools and pages around the apps',
    art: 'marks',
  },
};

/**
 * Draws the picture of each subject. The marks, phones, colours and fonts are those of the pages `/qa/design` and
 * `/resellers` of a running site.
 * @param siteUrl the origin of the site, with no slash at its end
 * @param folder where the files go
 */
export async function drawSharePictures(browser: Browser, siteUrl: string, folder: string): Promise<void> {
  // The policy of the site forbids styles that are not its own.
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT },
    bypassCSP: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();

  for (const [name, { app, art, steps = 0, ...words }] of Object.entries(SUBJECTS)) {
    await page.goto(`${siteUrl}/${art === 'shops' ? 'resellers' : 'qa/design'}`);
    await page
      .locator(art === 'shops' ? 'svg[data-mark]' : '[role="img"][data-hero="false"] svg')
      .first()
      .waitFor();
    await page.addStyleTag({ content: STYLE });
    await page.evaluate(compose, { app, art, html: htmlOf(words), drawn: { plans: plans(), key: keyOf(steps) } });
    await page.screenshot({ path: `${folder}/${name}.jpg`, type: 'jpeg', quality: 72, animations: 'disabled' });
  }
  await context.close();
}

interface Composition {
  app: string;
  art: Subject['art'];
  /** The words. */
  html: string;
  /** The art that no page has. */
  drawn: Record<'plans' | 'key', string>;
}

/** Runs in the page: puts the words, the mark and the art of the picture in the place of the page. */
async function compose({ app, html, art, drawn }: Composition): Promise<void> {
  const find = (selector: string): Element => {
    const found = document.querySelector(selector);
    if (!found) throw new Error(`The page shows no ${selector}`);
    return found.cloneNode(true) as Element;
  };
  const markOf = (name: string) => find(`svg[data-app="${name}"]`);
  const picture = document.createElement('div');
  picture.id = 'picture';
  picture.dataset['app'] = app;
  picture.innerHTML = html;
  if (art !== 'marks' && art !== 'shops') picture.querySelector('header')?.prepend(markOf(app));

  const side = document.createElement('div');
  side.className = 'art';
  if (art === 'phone') side.append(find(`[role="img"][data-hero="false"][data-app="${app}"]`));
  else if (art === 'marks') side.append(...['v5', 'neo', 'v3', 'companion'].map(markOf));
  else if (art === 'shops') side.append(...[...document.querySelectorAll('svg[data-mark]')].slice(0, 4));
  else side.innerHTML = drawn[art];
  side.dataset['art'] = art;
  picture.append(side);

  document.body.replaceChildren(picture);
  await document.fonts.ready;
}

function htmlOf({ over, title, line, facts = [] }: Omit<Subject, 'app' | 'art' | 'steps'>): string {
  const chips = facts.map((fact) => `<li>${fact}</li>`).join('');
  return `<header>
    <p class="over">${over}</p>
    <h1 data-length="${title.length > 5 ? 'long' : 'short'}">${title}</h1>
    <p class="line">${line}</p>
    ${chips && `<ul>${chips}</ul>`}
  </header>`;
}

/** A key whose teeth are all cut. */
function keyOf(steps: number): string {
  const teeth = runKeyTeeth(steps).map(({ tooth }) => `<path class="tooth" d="${tooth}"/>`);
  return `<svg class="key" viewBox="0 0 ${RUN_KEY.width} ${RUN_KEY.height}">
    <path fill-rule="evenodd" d="${RUN_KEY.body}"/><path class="lines" d="${RUN_KEY.lines}"/>${teeth.join('')}
  </svg>`;
}

function plans(): string {
  return PLANS.map(
    ({ name, priceCents, days }) =>
      `<div><b>${name}</b><span>${days} days</span><strong>${formatPrice(priceCents)}</strong></div>`,
  ).join('');
}
