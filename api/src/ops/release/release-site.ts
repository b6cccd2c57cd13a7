import type { ChannelMove } from '@app/contracts/channel-move';
import type { MovedAnswer, PublishedAnswer, RegistryListing } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/unit';
import type { PackedRelease } from './pack-release.ts';

/**
 * A site on which releases are published: the one of this machine, or another one over HTTP. A refusal is thrown as an
 * OpsError, with a line for each problem.
 */
export interface ReleaseSite {
  list: () => Promise<RegistryListing>;
  changeChannel: (unit: Unit, change: ChannelMove) => Promise<MovedAnswer>;
  /** Publishes a release, or with `isRehearsal` only checks it. */
  publish: (release: PackedRelease, options: PublishSettings) => Promise<PublishedAnswer>;
}

export interface PublishSettings {
  isRehearsal: boolean;
  /** The pages that visitors have and that may be removed. */
  removePages: readonly string[];
  /** How long a preview lasts. */
  days?: number | undefined;
}
