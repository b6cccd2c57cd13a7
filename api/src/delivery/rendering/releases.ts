import type { Db } from '#api/foundation/db/schema.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import type { Prerendering } from './prerendering.ts';

/** What the use cases of releases work with. */
export interface Releases {
  db: Db;
  store: ReleaseStore;
  registry: Registry;
  /** Renders pages before they are served. Without it they are rendered in the browser alone. */
  prerendering?: Pick<Prerendering, 'renderPairs'> | undefined;
  now: () => number;
}
