import { listRegistry } from '#api/delivery/registry/list-registry.ts';
import { changeChannel } from '#api/delivery/channels/channel-changes.ts';
import { publishArchive, type PublishDeps } from '#api/delivery/publishing/publish-release.ts';
import type { Refused } from '#api/delivery/registry/refused.ts';
import { OpsError } from '#api/ops/command.ts';
import type { ReleaseSite } from './command.ts';

export interface Machine extends PublishDeps {
  now: () => number;
  user: string;
}

/** The site of this machine. A server that runs there serves a change within a second. */
export function openLocalSite({ db, store, prerendering, now, user }: Machine): ReleaseSite {
  const refuse = ({ problems }: Refused) => new OpsError(problems.join('\n'));

  return {
    list: () => listRegistry(db),

    async changeChannel(unit, change) {
      const registry = { refresh: () => Promise.resolve() };
      const act = { by: user, at: now() };
      const changed = await changeChannel({ db, prerendering, registry }, unit, change, act);
      if (changed.outcome === 'refused') throw refuse(changed);
      return changed;
    },

    async publish({ unit, version, pack }, { dryRun, removePages }) {
      const options = { by: user, expected: { unit, version }, dryRun, removePages };
      const published = await publishArchive({ db, store, prerendering, now }, pack(), options);
      if (published.outcome === 'refused') throw refuse(published);
      // The link of a preview is signed by the server, so --preview needs --to.
      return { ...published, preview: undefined };
    },
  };
}
