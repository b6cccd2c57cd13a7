import type { ComponentType } from 'react';

/** What a remote exposes as `./remote`: the page of each of its paths, and how to load its code. */
export interface RemoteModule {
  /** Path to page name; the build writes the same table into release.json. */
  routes: Readonly<Record<string, string>>;
  /** Each page is a chunk of its own, named like the page. */
  pages: Readonly<Record<string, () => Promise<ComponentType>>>;
}
