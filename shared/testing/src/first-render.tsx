import { KNOWN_DEVICES, type KnownDevice } from '@app/contracts/device-params';
import { provideKnownDevice, provideSiteSettings, type RemoteModule } from '@app/platform';
import { createElement } from 'react';
// As in `hydrate.tsx`.
import { renderToString } from 'react-dom/server.edge';
import { StaticRouter } from 'react-router-dom';
import { SITE_SETTINGS } from './site-settings.ts';

/** Two visitors with different queries, clocks and random numbers. Their first renders must be equal. */
const VISITORS = [
  { query: '', now: 0, random: 0 },
  { query: '?os=ios&hwid=device-1&zone=z&advertiser=lootlabs&e=KS_STEP&r=KS_FAST', now: 1.8e12, random: 0.99 },
];

/**
 * Renders a page of a remote to HTML, as a server does, for two visitors at two moments. One render serves all
 * visitors whose address names the same parts of a device, so anything else that depends on query, clock or chance has
 * to wait for hydration.
 * @returns the HTML of the renders for each part of a device, for both visitors
 * @throws Error when no page of the remote has this path
 */
export async function renderForTwo(remote: RemoteModule, path: string): Promise<[string, string]> {
  const load = remote.pages[remote.routes[path] ?? ''];
  if (!load) throw new Error(`No page answers ${path}`);

  provideSiteSettings(SITE_SETTINGS);
  const Page = await load();
  const render = (address: string, device: KnownDevice) => {
    provideKnownDevice(() => device);
    return renderToString(<StaticRouter location={address}>{createElement(Page)}</StaticRouter>);
  };
  const [first = '', second = ''] = VISITORS.map(({ query, now, random }) =>
    withFixedClock(now, random, () => KNOWN_DEVICES.map((device) => render(path + query, device)).join('\n')),
  );
  return [first, second];
}

/** Calls a function with a fixed clock and a fixed random number. */
function withFixedClock<Result>(now: number, random: number, act: () => Result): Result {
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
