import * as v from 'valibot';
import { versionSchema } from './release.ts';

/** Others read it in terminals and pages, in the midst of a text. */
const reasonSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(3, 'is too short'),
  v.maxLength(300, 'is too long'),
  // Two of the invisible characters join letters.
  v.regex(/^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u200c\u200d])*$/u, 'is not one line without control characters'),
);

/** Also a version that was halted as a canary, which has to be named then. */
const allowHaltedSchema = v.optional(v.boolean());

/** `PATCH /api/channels/:unit`: a move of a unit's channels. */
export const channelMoveSchema = v.variant('action', [
  /** Makes a version the stable one; without a version, the canary. */
  v.object({ action: v.literal('promote'), version: v.optional(versionSchema), again: allowHaltedSchema }),
  v.object({
    action: v.literal('canary'),
    version: v.optional(versionSchema),
    again: allowHaltedSchema,
    percent: v.pipe(v.number(), v.minValue(0.01), v.maxValue(100)),
  }),
  /** Makes an earlier version the stable one, and ends a canary; without a version, the last one that was good. */
  v.object({ action: v.literal('rollback'), version: v.optional(versionSchema) }),
  v.object({ action: v.literal('halt'), reason: reasonSchema }),
  /** Refuses all moves of the unit until `unlock`. */
  v.object({ action: v.literal('lock'), reason: reasonSchema }),
  v.object({ action: v.literal('unlock') }),
]);
export type ChannelMove = v.InferOutput<typeof channelMoveSchema>;
