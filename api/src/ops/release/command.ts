import type { ChannelMove } from '@app/contracts/channel-move';
import type { MovedAnswer, PublishedAnswer, RegistryListing } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/unit';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { PublishDeps } from '#api/delivery/publishing/publish-release.ts';
import type { Answer } from '#api/ops/command.ts';
import type { PackedRelease } from './pack-release.ts';

export interface Runners {
  /** On the site that `--to` names, or on this machine. */
  onSite: (act: (site: ReleaseSite) => Promise<Answer>) => Promise<void>;
  /** The origin of the site where nothing gives the command a token for it. */
  outside: () => string | undefined;
  answer: (answer: Answer) => void;
  isRemote: () => boolean;
  onMachine: (act: (machine: Machine) => Promise<Answer>) => Promise<void>;
  /** @param use gets the folder of the release, which is removed afterwards */
  build: <Result>(unit: string, use: (folder: string) => Promise<Result>, isPreview: boolean) => Promise<Result>;
  /** Writes the `release.json` of what another builder has made, where such a unit is. */
  describe?: (folder: string, isPreview: boolean) => void;
  say: (text: string) => void;
}

export interface Machine extends PublishDeps {
  now: () => number;
  user: string;
}

export type AddCommands = (program: CommandUnknownOpts, runners: Runners) => void;

/** This machine, or another site over HTTP. A refusal is thrown as an OpsError, with a line for each problem. */
export interface ReleaseSite {
  list: () => Promise<RegistryListing>;
  changeChannel: (unit: Unit, change: ChannelMove) => Promise<MovedAnswer>;
  /** Publishes a release, or with `dryRun` only checks it. */
  publish: (release: PackedRelease, options: PublishSettings) => Promise<PublishedAnswer>;
}

export interface PublishSettings {
  dryRun: boolean;
  removePages: readonly string[];
  days?: number | undefined;
}
