import type { ChannelMove } from '@app/contracts/channel-move';
import type { MovedAnswer, PublishedAnswer, RegistryListing } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/unit';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Answer } from '#api/ops/command.ts';
import type { Machine } from './local-site.ts';
import type { PackedRelease } from './pack-release.ts';

/** Run commands and print their answers. */
export interface Runners {
  /** On the site that `--to` names, or on this machine. */
  onSite: (act: (site: ReleaseSite) => Promise<Answer>) => Promise<void>;
  /** The origin of the site where nothing gives the command a token for it. */
  outside: () => string | undefined;
  /** Prints an answer. */
  answer: (answer: Answer) => void;
  /** Whether `--to` names a site. */
  isRemote: () => boolean;
  /** On this machine only. */
  onMachine: (act: (machine: Machine) => Promise<Answer>) => Promise<void>;
  /**
   * Builds the release of a unit from the working copy.
   * @param use gets its folder, which is removed afterwards
   * @param isPreview whether its version names the commit, and is that of a preview
   */
  build: <Result>(unit: string, use: (folder: string) => Promise<Result>, isPreview: boolean) => Promise<Result>;
  /** Writes the `release.json` of what another builder has made, where such a unit is. */
  describe?: (folder: string, isPreview: boolean) => void;
  /** Prints progress. */
  say: (text: string) => void;
}

/** Adds a group of commands to the program. */
export type AddCommands = (program: CommandUnknownOpts, runners: Runners) => void;

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
