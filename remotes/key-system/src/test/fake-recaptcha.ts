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

/** Every widget that was drawn since the script was started, the newest last; and how often each was reset. */
let drawn: { place: HTMLElement; options: Options; resets: number }[] = [];

// The page keeps the script once it is there: so it is one for all tests.
const script = {
  render(place: HTMLElement, options: Options) {
    place.append('Captcha of the provider');
    return drawn.push({ place, options, resets: 0 }) - 1;
  },
  reset(widget: number) {
    const known = drawn[widget];
    if (known) known.resets += 1;
  },
};

/**
 * Lets the page load the provider's script, as far as the page uses it.
 * @param fails how many of the first tries do not come
 * @returns the addresses that were loaded, and the widgets, the newest last
 */
export function serveRecaptcha(fails = 0) {
  const loaded: HTMLScriptElement[] = [];
  drawn = [];
  const page = globalThis as unknown as { onRecaptchaLoaded?: () => void };
  vi.stubGlobal('grecaptcha', script);
  vi.spyOn(document.head, 'append').mockImplementation((element) => {
    if (!(element instanceof HTMLScriptElement)) return;
    loaded.push(element);
    if (loaded.length > fails) queueMicrotask(() => page.onRecaptchaLoaded?.());
    else queueMicrotask(() => element.dispatchEvent(new Event('error')));
  });

  return {
    loaded,
    widgets: drawn,
    get last() {
      const widget = drawn.at(-1);
      if (!widget) throw new Error('No widget was drawn');
      return widget;
    },
  };
}
