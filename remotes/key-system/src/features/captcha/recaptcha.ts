import type { CaptchaSettings } from '@app/contracts/site-settings';
import type { CreateWidget } from './widget.ts';

/** The part of the provider's `grecaptcha` object that we use. */
interface Recaptcha {
  render: (place: HTMLElement, options: Record<string, unknown>) => number;
  reset: (widget: number) => void;
}

/** The name of the global function that the script calls when it has loaded. */
const LOADED = 'onRecaptchaLoaded';

/** How long to wait for the script. It loads a second script, and never calls back when that one fails. */
const LOAD_TIMEOUT_MS = 20_000;

/** The width of the normal widget, in pixels. A narrower place gets the compact one. */
const WIDGET_WIDTH = 304;

let script: Promise<Recaptcha> | undefined;

/** Returns the function that creates the provider's captcha. The visitor has to tick it. */
export function createRecaptcha({
  siteKey,
  scriptUrl,
}: Extract<CaptchaSettings, { provider: 'recaptcha' }>): CreateWidget {
  return async (place, _subject, tell) => {
    script ??= loadScript(scriptUrl);
    const recaptcha = await script.catch((error: unknown) => {
      script = undefined;
      throw error;
    });

    // The script allows one widget for each element.
    const inside = document.createElement('div');
    place.append(inside);
    const widget = recaptcha.render(inside, {
      sitekey: siteKey,
      theme: 'dark',
      size: place.clientWidth < WIDGET_WIDTH ? 'compact' : 'normal',
      callback: (token: string) => tell({ type: 'solved', token }),
      'expired-callback': () => tell({ type: 'expired' }),
      'error-callback': () => tell({ type: 'failed' }),
    });
    return { reset: () => recaptcha.reset(widget) };
  };
}

function loadScript(scriptUrl: string): Promise<Recaptcha> {
  const url = new URL(scriptUrl, location.href);
  url.searchParams.set('onload', LOADED);
  url.searchParams.set('render', 'explicit');

  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    const page = globalThis as unknown as Record<typeof LOADED, () => void> & { grecaptcha: Recaptcha };
    const timer = setTimeout(fail, LOAD_TIMEOUT_MS);

    function fail() {
      clearTimeout(timer);
      element.remove();
      reject(new Error(`${url.href} did not load`));
    }
    page[LOADED] = () => {
      clearTimeout(timer);
      resolve(page.grecaptcha);
    };
    element.src = url.href;
    element.addEventListener('error', fail);
    document.head.append(element);
  });
}
