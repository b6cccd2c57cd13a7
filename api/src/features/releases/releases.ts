import type { Db } from '#api/db/schema.ts';
import type { Registry } from './registry.ts';
import type { ReleaseStore } from './release-store.ts';
import type { Prerendering } from './rendering/prerendering.ts';

/** What the use cases of releases work with. */
export interface Releases {
  db: Db;
  store: ReleaseStore;
  registry: Registry;
  /** Renders pages before they are served. Without it they are rendered in the browser alone. */
  prerendering?: Pick<Prerendering, 'tryPairs'> | undefined;
  now: () => number;
}
