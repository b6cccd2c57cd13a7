import type { Env } from '#api/foundation/settings/env.ts';
import { createPrerendering, type Prerendering, type PrerenderingDeps } from './prerendering.ts';
import { createRenderPages } from './render-pages.ts';

/**
 * Opens what renders pages. All programs of a machine do it with the same settings, so one finds what another has
 * rendered.
 * @param program the built `render-process.ts`
 */
export function openPrerendering(
  env: Pick<Env, 'NODE_ENV'>,
  program: string,
  { releases, settings, warn }: Pick<PrerenderingDeps, 'releases' | 'settings' | 'warn'>,
): Prerendering {
  return createPrerendering({
    releases,
    warn,
    renderPages: createRenderPages({ program, mustConfine: env.NODE_ENV === 'production' }),
    settings,
  });
}
