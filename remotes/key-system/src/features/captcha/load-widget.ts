import type { CaptchaSettings } from '@app/contracts/site-settings';
import type { CreateWidget } from './widget.ts';
import { withRetries } from './with-retries.ts';

/** Returns the function that creates the captcha of the settings. It tries up to three times to load the code. */
export function loadWidget(settings: CaptchaSettings): CreateWidget {
  return (place, subject, tell) =>
    withRetries(async () => {
      const create = await importWidget(settings);
      place.replaceChildren();
      return create(place, subject, tell);
    });
}

async function importWidget(settings: CaptchaSettings): Promise<CreateWidget> {
  if (settings.provider === 'altcha')
    return (await import(/* webpackChunkName: "altcha" */ './altcha.ts')).createAltcha;

  return (await import(/* webpackChunkName: "recaptcha" */ './recaptcha.ts')).createRecaptcha(settings);
}
