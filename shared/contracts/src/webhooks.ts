import * as v from 'valibot';

/** The events that a webhook can tell: those of an app, and those of a unit. */
export const WEBHOOK_EVENTS = {
  app: ['key.issued', 'key.withdrawn'],
  unit: ['canary.halted'],
} as const;

export type WebhookScope = keyof typeof WEBHOOK_EVENTS;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[WebhookScope][number];

/** What every message has: its kind, the version of its form, and when it happened (ISO 8601). */
const envelope = <const Type extends string, Data extends v.GenericSchema>(type: Type, data: Data) =>
  v.object({ type: v.literal(type), version: v.literal('1'), timestamp: v.string(), data });

const keyEntries = {
  app: v.string(),
  jti: v.string(),
  sub: v.string(),
  src: v.picklist(['ads', 'plan']),
  issuedAt: v.number(),
  expiresAt: v.number(),
};

export const keyIssuedSchema = envelope('key.issued', v.object(keyEntries));

export const keyWithdrawnSchema = envelope('key.withdrawn', v.object({ ...keyEntries, withdrawnAt: v.number() }));

export type WebhookMessage =
  | v.InferOutput<typeof keyIssuedSchema>
  | v.InferOutput<typeof keyWithdrawnSchema>
  | {
      type: 'canary.halted';
      version: '1';
      timestamp: string;
      data: {
        unit: string;
        version: string;
        reason: string;
        by: string;
        /** In how many networks it failed, of how many that got it; null when a person halted it. */
        networks: { failed: number; served: number } | null;
      };
    };
