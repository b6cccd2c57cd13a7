import { provideSiteSettings, type RemoteModule } from '@app/platform';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { SITE_SETTINGS } from './site-settings.ts';

/** Two visitors who have nothing in common: their first renders must not differ. */
const VISITORS = [
  { query: '', now: 0, random: 0 },
  { query: '?os=ios&hwid=device-1&zone=z&advertiser=lootlabs&e=KS_STEP&r=KS_FAST', now: 1.8e12, random: 0.99 },
];

/**
 * Renders a page of a remote on a server, for two visitors at two moments.
 * Pages are rendered ahead of time for everybody, so what depends on query, clock or chance has to come after hydration.
 * @returns the two renders
 */
export async function renderForTwo(remote: RemoteModule, path: string): Promise<[string, string]> {
  const load = remote.pages[remote.routes[path] ?? ''];
  if (!load) throw new Error(`No page answers ${path}`);

  provideSiteSettings(SITE_SETTINGS);
  const Page = await load();
  const [first = '', second = ''] = VISITORS.map(({ query, now, random }) =>
    at(now, random, () => renderToString(<StaticRouter location={path + query}>{createElement(Page)}</StaticRouter>)),
  );
  return [first, second];
}

/** Does something at a moment, with chance known. */
function at<Result>(now: number, random: number, act: () => Result): Result {
  const { now: realNow } = Date;
  const { random: realRandom } = Math;
  Date.now = () => now;
  Math.random = () => random;
  try {
    return act();
  } finally {
    Date.now = realNow;
    Math.random = realRandom;
  }
}
