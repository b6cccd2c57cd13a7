import type { SiteSettings } from '@app/contracts/site-settings';
import type { Env } from '#api/env.ts';
import { presentCaptcha, readRecaptchaAccount } from '#api/features/captcha/recaptcha-account.ts';
import {
  createPrerendering,
  type Prerendering,
  type PrerenderingDeps,
} from '#api/features/releases/rendering/prerendering.ts';
import { createRenderPages } from '#api/features/releases/rendering/render-pages.ts';

/** The settings that pages need to know. */
export function readSiteSettings(env: Env): SiteSettings {
  return {
    launchUrl: env.LAUNCH_URL,
    chunkTimeoutMs: env.CHUNK_TIMEOUT_MS,
    contentUrl: env.CONTENT_URL ?? '/content',
    contentApiUrl: env.CONTENT_API_URL ?? '/content-api',
    captcha: presentCaptcha(readRecaptchaAccount(env)),
  };
}

/**
 * Opens what renders pages. All programs of a machine do it with the same settings, so one finds what another has
 * rendered.
 * @param program the built `render-process.ts`
 */
export function openPrerendering(
  env: Env,
  program: string,
  { releases, warn }: Pick<PrerenderingDeps, 'releases' | 'warn'>,
): Prerendering {
  return createPrerendering({
    releases,
    warn,
    renderPages: createRenderPages({ program, mustConfine: env.NODE_ENV === 'production' }),
    settings: readSiteSettings(env),
  });
}
