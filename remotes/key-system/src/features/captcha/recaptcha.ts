import type { CaptchaSettings } from '@app/contracts/site-settings';
import type { CreateWidget } from './widget.ts';

/** What the provider's script puts into the page. */
interface Recaptcha {
  render: (place: HTMLElement, options: Record<string, unknown>) => number;
  reset: (widget: number) => void;
}

/** The name under which the script calls back. */
const LOADED = 'onRecaptchaLoaded';

/** A script that came without its second half never calls back. */
const PATIENCE_MS = 20_000;

/** In pixels; the provider draws a smaller one for narrower places. */
const WIDGET_WIDTH = 304;

let script: Promise<Recaptcha> | undefined;

/** The provider's captcha, drawn by its own script. The visitor ticks it. */
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

    // The script refuses a second widget in the same element.
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
    const timer = setTimeout(fail, PATIENCE_MS);

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
