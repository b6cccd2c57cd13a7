import type { ChannelMove } from '@app/contracts/channel-move';
import type { MovedAnswer } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { haltCanary } from './halt-canary.ts';
import { lockChannels, unlockChannels } from './lock-channels.ts';
import { findChannels } from '#api/delivery/registry/list-registry.ts';
import type { Moved } from './move-channels.ts';
import { openCanary } from './open-canary.ts';
import { promoteReleases } from './promote-releases.ts';
import type { Refused } from '#api/delivery/registry/refused.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { rollBack } from './roll-back.ts';

/**
 * Makes a move that somebody has asked for. With the next request all visitors get what it has changed.
 * @returns how the channels stand then, or why it was refused
 */
export async function moveChannel(
  { db, registry, prerendering }: Pick<Releases, 'db' | 'prerendering'> & { registry: Pick<Registry, 'refresh'> },
  unit: Unit,
  move: ChannelMove,
  act: Act,
): Promise<MovedAnswer | Refused> {
  const moved = await doMove({ db, prerendering }, unit, move, act);
  if (moved.outcome === 'refused') return moved;

  await registry.refresh();
  const channels = await findChannels(db, unit);
  if (!channels) throw new Error(`The unit ${unit} is gone`);
  return { outcome: moved.outcome, channels };
}

function doMove(deps: Pick<Releases, 'db' | 'prerendering'>, unit: Unit, move: ChannelMove, act: Act): Promise<Moved> {
  switch (move.action) {
    case 'promote':
      return promoteReleases(deps, [{ unit, version: move.version, again: move.again ?? false }], act);
    case 'canary':
      return openCanary(deps, unit, move, act);
    case 'rollback':
      return rollBack({ db: deps.db }, unit, move.version, act);
    case 'halt':
      return haltCanary({ db: deps.db }, unit, { reason: move.reason }, act);
    case 'lock':
      return lockChannels(deps, unit, move.reason, act);
    case 'unlock':
      return unlockChannels(deps, unit, act);
  }
}
