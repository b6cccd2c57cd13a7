import { type Release, releaseUrl, SERVER_BUNDLE } from '@app/contracts/release';
import * as v from 'valibot';
import { readListedFile } from '#api/delivery/store/release-files.ts';
import { presentStack, type RunConfined } from './run-confined.ts';
import { nameOf } from '#api/delivery/registry/registry.ts';

export interface EntryOrder {
  file: string;
  address: string;
  /** The names of the release's scripts by address. A name with a hash has two. */
  names: Readonly<Record<string, string>>;
  /** Those scripts by name, up to `MAX_SENT_BYTES`. */
  scripts: Readonly<Record<string, string>>;
  globalName: string;
  paths: readonly string[];
  /** What gives the shared packages: the server bundle of the shell. */
  shell: { code: string };
}

const answerSchema = v.object({
  problem: v.optional(v.string()),
  /** What the code threw that may need a browser. */
  unknown: v.optional(v.string()),
});

export type EntryAnswer = v.InferOutput<typeof answerSchema>;

const SCRIPT_PATTERN = /\.m?js$/;

/** How much of a release's scripts is sent, in bytes. The server holds them in memory, where an order is made of them. */
const MAX_SENT_BYTES = 10 * 1024 * 1024;

/** What is wrong with the entry of a release, and what could not be found out about it, a sentence each. */
export interface EntryTrial {
  problems: string[];
  notices: string[];
}

export type TryEntry = (
  remote: { release: Release; folder: string },
  shell: { release: Release; folder: string },
) => Promise<EntryTrial>;

export function createTryEntry(runConfined: RunConfined): TryEntry {
  return async ({ release, folder }, shell) => {
    const { unit, version, entry, routes, files } = release;
    const code = await readListedFile(shell.folder, shell.release, SERVER_BUNDLE);
    // Shells of earlier builds have no server bundle.
    if (code === undefined) return { problems: [], notices: [] };

    const scripts: Record<string, string> = {};
    const names: Record<string, string> = {};
    let left = MAX_SENT_BYTES;
    for (const name of new Set([entry.file, ...Object.keys(files)])) {
      if (!SCRIPT_PATTERN.test(name)) continue;
      names[releaseUrl(release, name)] = names[`/releases/${unit}/${version}/${name}`] = name;
      const bytes = files[name]?.bytes ?? 0;
      if (bytes > left) continue;
      left -= bytes;
      scripts[name] = (await readListedFile(folder, release, name)) ?? '';
    }
    const order: EntryOrder = {
      ...{ file: entry.file, address: releaseUrl(release, entry.file), globalName: entry.globalName ?? '' },
      ...{ names, scripts, paths: routes.map(({ path }) => path), shell: { code } },
    };
    const answer = await runConfined(order, answerSchema);
    const unknown = 'failure' in answer ? answer.failure : answer.unknown;
    const isRendered = Object.hasOwn(files, SERVER_BUNDLE);
    return {
      problems: 'problem' in answer && answer.problem !== undefined ? [presentStack(answer.problem)] : [],
      notices: [
        ...(unknown === undefined
          ? []
          : [`${entry.file} could not be tried without a browser: ${presentStack(unknown)}`]),
        ...(isRendered ? [] : [`${nameOf(release)} is rendered in the browser alone: it has no ${SERVER_BUNDLE}`]),
      ],
    };
  };
}
