import type { ChannelMove } from '@app/contracts/channel-move';
import type { MovedAnswer, PublishedAnswer, RegistryListing } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/release';
import type { PackedRelease } from './pack-release.ts';

/**
 * A site whose releases can be seen and moved: the one of this machine, or another one over HTTP. What it refuses is
 * thrown as an OpsError, with a line for each problem.
 */
export interface ReleaseSite {
  list: () => Promise<RegistryListing>;
  move: (unit: Unit, move: ChannelMove) => Promise<MovedAnswer>;
  /** Publishes a release, or with `isRehearsal` only says what would become of it. */
  publish: (release: PackedRelease, options: PublishSettings) => Promise<PublishedAnswer>;
}

export interface PublishSettings {
  isRehearsal: boolean;
  /** The pages that visitors have and that may go. */
  removePages: readonly string[];
}
