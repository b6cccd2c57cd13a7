import { vi } from 'vitest';

/** A captcha of a provider, for the settings of the site. */
export const RECAPTCHA = {
  provider: 'recaptcha',
  siteKey: 'site-1',
  scriptUrl: 'https://captcha.test/api.js',
} as const;

interface Options {
  sitekey: string;
  size: string;
  theme: string;
  callback: (token: string) => void;
  'expired-callback': () => void;
  'error-callback': () => void;
}

interface Widget {
  place: HTMLElement;
  options: Options;
  resets: number;
}

/** Every widget that was drawn since the provider was started, the newest last. */
let renderedWidgets: Widget[] = [];
let failingLoads: readonly number[] = [];
let isSilent = false;
let loadCount = 0;

// The page keeps the script once it is there: so it is one for all tests.
const script = {
  render(place: HTMLElement, options: Options) {
    loadCount += 1;
    if (failingLoads.includes(loadCount)) throw new Error('The provider draws nothing');

    const frame = document.createElement('iframe');
    frame.srcdoc = '';
    place.append('Captcha of the provider', frame);
    queueMicrotask(() => {
      if (!isSilent) window.dispatchEvent(new MessageEvent('message', { source: frame.contentWindow }));
    });
    return renderedWidgets.push({ place, options, resets: 0 }) - 1;
  },
  reset(widget: number) {
    const known = renderedWidgets[widget];
    if (known) known.resets += 1;
  },
};

/**
 * Starts the provider, as far as the page uses it.
 * @param fails which tries to draw a widget fail; the first is 1
 * @param silent whether the frames of its widgets never load
 */
export function serveRecaptcha(fails: readonly number[] = [], silent = false) {
  renderedWidgets = [];
  isSilent = silent;
  failingLoads = fails;
  loadCount = 0;
  const page = globalThis as unknown as { onRecaptchaLoaded?: () => void };
  vi.stubGlobal('grecaptcha', script);
  vi.spyOn(document.head, 'append').mockImplementation(() => queueMicrotask(() => page.onRecaptchaLoaded?.()));

  return {
    drawn: renderedWidgets,
    /** The newest widget. */
    get last(): Widget {
      const widget = renderedWidgets.at(-1);
      if (!widget) throw new Error('No widget was drawn');
      return widget;
    },
  };
}
