import type { Db } from '#api/db/schema.ts';
import type { Registry } from './registry.ts';
import type { ReleaseStore } from './release-store.ts';

/** What the use cases of releases work with. */
export interface Releases {
  db: Db;
  store: ReleaseStore;
  registry: Registry;
  now: () => number;
}
