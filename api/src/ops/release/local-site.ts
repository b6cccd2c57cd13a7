import type { RefusedMove } from '#api/features/releases/move-channels.ts';
import { listRegistry } from '#api/features/releases/list-registry.ts';
import { moveChannel } from '#api/features/releases/move-channel.ts';
import { publishRelease } from '#api/features/releases/publish-release.ts';
import { receiveRelease } from '#api/features/releases/receive-release.ts';
import { Refusal } from '#api/features/releases/refusal.ts';
import type { Releases } from '#api/features/releases/releases.ts';
import { OpsError } from '../command.ts';
import type { ReleaseSite } from './release-site.ts';

/** The database and the store of this machine, and who types. */
export interface Machine extends Pick<Releases, 'db' | 'store' | 'prerendering' | 'now'> {
  user: string;
}

/** The site of this machine. A server that runs there serves what was moved within a second. */
export function openLocalSite({ db, store, prerendering, now, user }: Machine): ReleaseSite {
  const act = () => ({ by: user, at: now() });
  const refuse = ({ problems }: Pick<RefusedMove, 'problems'>) => new OpsError(problems.join('\n'));

  return {
    list: () => listRegistry(db),

    async move(unit, move) {
      const registry = { refresh: () => Promise.resolve() };
      const moved = await moveChannel({ db, prerendering, registry }, unit, move, act());
      if (moved.outcome === 'refused') throw refuse(moved);
      return moved;
    },

    async publish({ unit, version, pack }, { isRehearsal }) {
      const staged = await store.stage();
      try {
        await receiveRelease(pack(), staged);
      } catch (error) {
        await store.discard(staged);
        throw error instanceof Refusal ? refuse({ problems: [...error.problems] }) : error;
      }
      const expected = { unit, version };
      const published = await publishRelease({ db, store, prerendering }, staged, { ...act(), expected, isRehearsal });
      if ('problems' in published) throw refuse(published);
      return { ...published, problems: [] };
    },
  };
}
