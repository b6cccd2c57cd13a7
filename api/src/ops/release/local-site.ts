import { listRegistry } from '#api/delivery/registry/list-registry.ts';
import { changeChannel } from '#api/delivery/channels/channel-changes.ts';
import { publishArchive } from '#api/delivery/publishing/publish-release.ts';
import type { Refused } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { OpsError } from '#api/ops/command.ts';
import type { ReleaseSite } from './release-site.ts';

/** The database and the store of this machine, and who types. */
export interface Machine extends Pick<Releases, 'db' | 'store' | 'prerendering' | 'now'> {
  user: string;
}

/** The site of this machine. A server that runs there serves what was moved within a second. */
export function openLocalSite({ db, store, prerendering, now, user }: Machine): ReleaseSite {
  const refuse = ({ problems }: Refused) => new OpsError(problems.join('\n'));

  return {
    list: () => listRegistry(db),

    async move(unit, move) {
      const registry = { refresh: () => Promise.resolve() };
      const act = { by: user, at: now() };
      const moved = await changeChannel({ db, prerendering, registry }, unit, move, act);
      if (moved.outcome === 'refused') throw refuse(moved);
      return moved;
    },

    async publish({ unit, version, pack }, { isRehearsal, removePages }) {
      const options = { by: user, expected: { unit, version }, isRehearsal, removePages };
      const published = await publishArchive({ db, store, prerendering, now }, pack(), options);
      if (published.outcome === 'refused') throw refuse(published);
      return published;
    },
  };
}
