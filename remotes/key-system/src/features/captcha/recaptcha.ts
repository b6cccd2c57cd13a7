import type { CaptchaSettings } from '@app/contracts/site-settings';
import type { CreateWidget } from './widget.ts';

/** The part of the provider's `grecaptcha` object that we use. */
interface Recaptcha {
  render: (place: HTMLElement, options: Record<string, unknown>) => number;
  reset: (widget: number) => void;
}

const ON_LOAD_CALLBACK = 'onRecaptchaLoaded';

/** How long to wait for the script, before it is asked for under another address: a browser joins equal requests. */
const SCRIPT_RETRY_DELAY_MS = 9000;

/** How long to wait for the script, and then for the widget's frame. Neither says when it does not come. */
const READY_TIMEOUT_MS = 18_000;

/** The width of the normal widget, in pixels. A narrower place gets the compact one. */
const WIDGET_WIDTH = 304;

let scriptPromise: Promise<Recaptcha> | undefined;

export function createRecaptcha({
  siteKey,
  scriptUrl,
}: Extract<CaptchaSettings, { provider: 'recaptcha' }>): CreateWidget {
  return async (place, _subject, onEvent) => {
    scriptPromise ??= loadScript(scriptUrl);
    const recaptcha = await scriptPromise.catch((error: unknown) => {
      scriptPromise = undefined;
      throw error;
    });

    // The script allows one widget for each element.
    const inside = document.createElement('div');
    place.append(inside);
    const widget = recaptcha.render(inside, {
      sitekey: siteKey,
      theme: 'dark',
      size: place.clientWidth < WIDGET_WIDTH ? 'compact' : 'normal',
      callback: (token: string) => {
        waiting.abort();
        onEvent({ type: 'solved', token });
      },
      'expired-callback': () => onEvent({ type: 'expired' }),
      'error-callback': () => onEvent({ type: 'failed' }),
    });
    const waiting = whenSilent(inside, () => onEvent({ type: 'lost' }));
    return { reset: () => recaptcha.reset(widget) };
  };
}

/**
 * Acts when the widget's frame does not come. Frame and page talk by messages, of which the frame sends the first.
 * @returns ends the waiting
 */
function whenSilent(inside: HTMLElement, act: () => void): AbortController {
  const waiting = new AbortController();
  const { signal } = waiting;
  const timer = setTimeout(() => {
    waiting.abort();
    act();
  }, READY_TIMEOUT_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));

  function hear({ source }: MessageEvent) {
    if ([...inside.querySelectorAll('iframe')].some(({ contentWindow }) => contentWindow === source)) waiting.abort();
  }
  window.addEventListener('message', hear, { signal });
  return waiting;
}

let requestCount = 0;

function loadScript(scriptUrl: string): Promise<Recaptcha> {
  const page = globalThis as unknown as Record<typeof ON_LOAD_CALLBACK, () => void> & { grecaptcha: Recaptcha };

  return new Promise((resolve, reject) => {
    const timers = [
      setTimeout(ask, SCRIPT_RETRY_DELAY_MS),
      setTimeout(() => fail(new DOMException(`${scriptUrl} did not load`, 'TimeoutError')), READY_TIMEOUT_MS),
    ];
    function end() {
      for (const timer of timers) clearTimeout(timer);
    }
    function fail(error: Error) {
      end();
      reject(error);
    }
    page[ON_LOAD_CALLBACK] = () => {
      end();
      resolve(page.grecaptcha);
    };

    function ask() {
      const url = new URL(scriptUrl, location.href);
      url.searchParams.set('onload', ON_LOAD_CALLBACK);
      url.searchParams.set('render', 'explicit');
      requestCount += 1;
      if (requestCount > 1) url.searchParams.set('try', String(requestCount));
      const element = document.createElement('script');
      element.src = url.href;
      element.addEventListener('error', () => fail(new Error(`${url.href} did not load`)));
      document.head.append(element);
    }
    ask();
  });
}
