import { writeFileSync } from 'node:fs';
import { expect, test as base } from '../fixtures/site.ts';
import { ELEMENT, startDriver, WebDriverError, type Driver } from './web-driver.ts';

/** How a WebKit is driven; see `tools/machine/browsers.ts`. */
export interface WebKit {
  driver: string;
  /** The member of the capabilities that has the options of the browser. */
  optionsName: string;
  options: object;
  needsDisplay: boolean;
}

/** What can be pressed or filled in. */
type Role = keyof typeof SELECTORS;

const SELECTORS = {
  button: 'button:not([disabled])',
  details: 'summary',
  link: 'a[href]',
  radio: 'input[type=radio]',
  textbox: 'input, textarea',
};

/** What the driver answers while a control is not there yet, is covered, or has just been replaced. */
const NOT_YET = ['no such element', 'stale element reference', 'element not interactable', 'element click intercepted'];

const POLLING = { intervals: [50, 100, 250] };

const KEYS = { ArrowRight: '\uE014', ArrowLeft: '\uE012', Escape: '\uE00C' };

/** A visitor in a WebKit: each act waits until it can be done, and each look until it can be seen. */
export class Visitor {
  readonly #driver: Driver;
  readonly #session: string;
  readonly #baseUrl: string;

  constructor(driver: Driver, session: string, baseUrl: string) {
    this.#driver = driver;
    this.#session = session;
    this.#baseUrl = baseUrl;
  }

  async open(address: string): Promise<void> {
    await this.#post('url', { url: new URL(address, this.#baseUrl).href });
    await this.#untilItWorks();
  }

  async reload(): Promise<void> {
    await this.#post('refresh');
    await this.#untilItWorks();
  }

  async back(): Promise<void> {
    await this.#post('back');
  }

  async click(role: Role, name: string | RegExp): Promise<void> {
    await this.#act(role, name, (element) => this.#post(`element/${element}/click`));
  }

  async fill(label: string, text: string): Promise<void> {
    await this.#act('textbox', label, async (element) => {
      await this.#post(`element/${element}/clear`);
      await this.#post(`element/${element}/value`, { text });
    });
  }

  async press(key: keyof typeof KEYS): Promise<void> {
    const value = KEYS[key];
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
    await this.#post('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async sees(text: string): Promise<void> {
    await expect.poll(() => this.evaluate(() => document.body.innerText), POLLING).toContain(text);
  }

  async seesNot(text: string): Promise<void> {
    await expect.poll(() => this.evaluate(() => document.body.innerText), POLLING).not.toContain(text);
  }

  /** Old WebKits lay some pages out without painting them: a window of one colour is a picture of 5 kB. */
  async seesPicture(): Promise<void> {
    await expect.poll(async () => (await this.screenshot()).length, POLLING).toBeGreaterThan(30_000);
  }

  async isAt(address: RegExp): Promise<void> {
    await expect.poll(() => this.#driver.call('GET', `${this.#session}/url`), POLLING).toMatch(address);
  }

  /** Runs a function in the page. It can use nothing from outside but its argument. */
  async evaluate<Result, Argument>(act: (given: Argument) => Result, given?: Argument): Promise<Result> {
    return (await this.#post('execute/sync', {
      script: `return (${String(act)})(arguments[0])`,
      args: [given ?? null],
    })) as Result;
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.#driver.call('GET', `${this.#session}/screenshot`)) as string, 'base64');
  }

  #post(action: string, body: object = {}): Promise<unknown> {
    return this.#driver.call('POST', `${this.#session}/${action}`, body);
  }

  async #untilItWorks(): Promise<void> {
    const isWaiting = () => document.querySelector('[data-unit]:not([data-source])') !== null;
    await expect.poll(() => this.evaluate(isWaiting), POLLING).toBe(false);
  }

  async #act(role: Role, name: string | RegExp, act: (element: string) => Promise<unknown>): Promise<void> {
    const wanted = {
      selector: SELECTORS[role],
      name: typeof name === 'string' ? name : name.source,
      isExact: typeof name === 'string',
    };
    let place: string | undefined;
    const tryOnce = async () => {
      try {
        const found = await this.evaluate(findNamed, wanted);
        if (!found) return 'no such element';
        // A click on what still moves, such as a link of a menu that unfolds, would miss it.
        if (place !== (place = found.place)) return 'moves';
        await act((found.element as Record<string, string>)[ELEMENT] ?? '');
        return 'done';
      } catch (error) {
        if (error instanceof WebDriverError && NOT_YET.includes(error.code)) return error.code;
        throw error;
      }
    };
    await expect.poll(tryOnce, { ...POLLING, message: `${role} ${String(name)}` }).toBe('done');
  }
}

/** Finds the visible control with a name in a page, and brings it into the window. Says where it is. */
function findNamed({ selector, name, isExact }: { selector: string; name: string; isExact: boolean }) {
  const labelOf = (element: Element) => (element as Partial<HTMLInputElement>).labels?.[0];
  const found = [...document.querySelectorAll(selector)].find((element) => {
    const text = element.getAttribute('aria-label') ?? (labelOf(element) ?? element).textContent;
    const own = text.replace(/[\s\u200b]+/g, ' ').trim();
    const isNamed = isExact ? own === name : new RegExp(name).test(own);
    return isNamed && element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
  });
  // A radio button is drawn by its label.
  const target = (found?.matches('[type=radio]') && labelOf(found)) || found;
  if (!target) return null;

  target.scrollIntoView({ block: 'center', behavior: 'instant' });
  const place = JSON.stringify(target.getBoundingClientRect());
  // What unfolds may stand where it was, and be about to move.
  const isMoved = document.getAnimations().some(({ playState, effect }) => {
    if (playState !== 'running' || !(effect instanceof KeyframeEffect)) return false;
    return effect.getComputedTiming().endTime !== Infinity && effect.target?.contains(target);
  });
  return { element: target as unknown, place: isMoved ? `${place} ${String(performance.now())}` : place };
}

/** Starts a browser without a past, a second time if it has to: old WebKits hang at their first page now and then. */
async function startBrowser({ driver: program, needsDisplay, optionsName, options }: WebKit, firstPage: string) {
  const capabilities = { alwaysMatch: { [optionsName]: options } };
  for (let isSecond = false; ; isSecond = true) {
    const driver = await startDriver(program, needsDisplay);
    try {
      const { sessionId } = (await driver.call('POST', '/session', { capabilities })) as { sessionId: string };
      const session = `/session/${sessionId}`;
      await driver.call('POST', `${session}/url`, { url: firstPage });
      return { driver, session };
    } catch (error) {
      await driver.stop();
      if (isSecond) throw error;
    }
  }
}

/** Gives each journey a driver and a browser of its own. */
export const test = base.extend<{ visitor: Visitor }, { webkit: WebKit }>({
  webkit: [undefined as unknown as WebKit, { option: true, scope: 'worker' }],

  visitor: async ({ webkit, site }, use, info) => {
    const { driver, session } = await startBrowser(webkit, `${site.url}/readyz`);
    try {
      const visitor = new Visitor(driver, session, site.url);
      await use(visitor);
      if (info.status !== info.expectedStatus) writeFileSync(info.outputPath('window.png'), await visitor.screenshot());
    } finally {
      await driver.stop();
    }
  },
});
