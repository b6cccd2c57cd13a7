import * as v from 'valibot';
import { COMPARED_TIMINGS } from './page-reports.ts';

/** What a release would change, compared with the stable one. */
export const releaseChangesSchema = v.object({
  from: v.nullable(v.string()),
  bytes: v.object({ before: v.number(), after: v.number() }),
  contract: v.object({ before: v.nullable(v.string()), after: v.string() }),
  pages: v.object({ added: v.array(v.string()), removed: v.array(v.string()) }),
  files: v.object({ added: v.number(), removed: v.number(), kept: v.number() }),
});
export type ReleaseChanges = v.InferOutput<typeof releaseChangesSchema>;

/** The answer to a publication, and to its rehearsal (`?check`). One that is refused is a problem, like a refused move. */
export const publishedSchema = v.object({
  /** `fit`: a rehearsal found nothing wrong. */
  outcome: v.picklist(['published', 'unchanged', 'fit']),
  unit: v.string(),
  version: v.string(),
  changes: releaseChangesSchema,
  /** What the publisher should know, a sentence each: pages that could not be rendered ahead of time. */
  notices: v.optional(v.array(v.string()), []),
  /** Of a preview: the address that shows it, until a moment in epoch milliseconds. */
  preview: v.optional(v.object({ link: v.string(), until: v.number() })),
});
export type PublishedAnswer = v.InferOutput<typeof publishedSchema>;

const timestampSchema = v.number();

/** A unit and its channels. Times are epoch milliseconds. */
export const channelsSchema = v.object({
  unit: v.string(),
  paths: v.array(v.string()),
  stable: v.nullable(v.string()),
  canary: v.nullable(v.object({ version: v.string(), percent: v.number(), since: timestampSchema })),
  lastGood: v.nullable(v.string()),
  halted: v.nullable(v.object({ version: v.string(), reason: v.string(), at: timestampSchema })),
  lock: v.nullable(v.object({ reason: v.string(), by: v.string(), at: timestampSchema })),
  moved: v.nullable(v.object({ by: v.string(), at: timestampSchema })),
});
export type ListedChannels = v.InferOutput<typeof channelsSchema>;

/** The answer to a move. One that is refused is a problem, which names everything that is wrong. */
export const movedSchema = v.object({
  /** `unchanged`: the channels stood like that already. */
  outcome: v.picklist(['moved', 'unchanged']),
  channels: channelsSchema,
  /** Those of other units that went back too: what visitors had of them does not fit the shell that is back. */
  others: v.optional(v.array(channelsSchema), []),
});
export type MovedAnswer = v.InferOutput<typeof movedSchema>;

/** What a CI job sends instead of its ID token, which works once, and until when. */
export const deploySessionSchema = v.object({ token: v.pipe(v.string(), v.minLength(1)), expiresAt: v.number() });
export type DeploySession = v.InferOutput<typeof deploySessionSchema>;

/** A timing by which a canary is slower than the stable release by a third: the medians of visits to the same pages. */
const slowerTimingSchema = v.object({
  timing: v.picklist(COMPARED_TIMINGS),
  canaryMs: v.number(),
  stableMs: v.number(),
  visits: v.number(),
});
export type SlowerTiming = v.InferOutput<typeof slowerTimingSchema>;

/** `GET /api/releases`: every unit with its channels and releases, the newest first. Times are epoch milliseconds. */
export const registrySchema = v.object({
  revision: v.number(),
  units: v.array(
    v.object({
      ...channelsSchema.entries,
      releases: v.array(
        v.object({
          version: v.string(),
          publishedAt: timestampSchema,
          publishedBy: v.string(),
          commit: v.nullable(v.string()),
          contract: v.string(),
          bytes: v.number(),
          /** In bytes, compared with the release that was published before it. */
          change: v.nullable(v.number()),
          /** In how many networks it was served, and in how many of them it failed, since the reports began. */
          networks: v.object({ served: v.number(), failed: v.number() }),
          withdrawnAt: v.nullable(timestampSchema),
          /** When it was stable last; sites of earlier versions do not say. */
          lastStableAt: v.optional(v.nullable(timestampSchema), null),
          /** What is wrong with its files on the server that answers; only of releases that visitors can get. */
          damage: v.optional(v.string()),
        }),
      ),
      /** Sites of before measure nothing. */
      slower: v.optional(v.array(slowerTimingSchema), []),
      /** Previews are not among the releases. Sites of before had none. */
      previews: v.optional(
        v.array(
          v.object({
            version: v.string(),
            publishedAt: timestampSchema,
            publishedBy: v.string(),
            commit: v.nullable(v.string()),
            until: timestampSchema,
          }),
        ),
        [],
      ),
    }),
  ),
});
export type RegistryListing = v.InferOutput<typeof registrySchema>;
export type ListedUnit = RegistryListing['units'][number];
export type ListedRelease = ListedUnit['releases'][number];
