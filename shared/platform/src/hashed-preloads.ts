/** What the federation's runtime tells, in part. */
interface Snapshot {
  manifestJson?: object;
  manifestUrl?: string;
}

interface Link {
  url: string;
  attrs?: Record<string, unknown>;
}

/**
 * A plugin for the federation's runtime in hosts of other teams: gives the links of `preloadRemote` the hashes that a
 * manifest of ours names. Without them the browser fetches anew, from its cache, what has to fit a hash.
 */
export default function hashedPreloads() {
  const hashes = new Map<string, string>();

  return {
    name: 'hashed-preloads',

    loadRemoteSnapshot<T extends Snapshot>(snapshot: T): T {
      const { manifestJson, manifestUrl } = snapshot;
      const { integrity }: { integrity?: Record<string, string> | null } = { ...manifestJson };
      for (const [file, hash] of Object.entries(integrity ?? {})) hashes.set(new URL(file, manifestUrl).href, hash);
      return snapshot;
    },

    /** All links of a call have the same attributes. */
    createLink({ url, attrs = {} }: Link): void {
      const integrity = hashes.get(url);
      if (integrity) Object.assign(attrs, { integrity, crossorigin: 'anonymous' });
      else delete attrs['integrity'];
    },
  };
}
