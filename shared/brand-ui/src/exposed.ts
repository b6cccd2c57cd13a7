import type { RemoteModule } from '@app/platform';
// What the build takes for the unit (rspack.config.base.ts).
import remote from 'remote-of-this-unit';

/** Loads a page with what the shell would have set. */
async function loadWithSiteStyles(load: RemoteModule['pages'][string]) {
  // First, so that the browser knows the order of the layers before the styles of the page.
  const { withSiteStyles } = await import(/* webpackChunkName: "site-styles" */ './site-styles.tsx');
  return withSiteStyles(await load());
}

/** What a release exposes: the unit as it is in our shell, and with the site's styles in every other host. */
const exposedRemote: RemoteModule =
  'chunkElementCreated' in globalThis
    ? remote
    : {
        ...remote,
        pages: Object.fromEntries(
          Object.entries(remote.pages).map(([name, load]) => [name, () => loadWithSiteStyles(load)]),
        ),
      };
export default exposedRemote;
