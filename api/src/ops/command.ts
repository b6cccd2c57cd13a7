import type { parseArgs } from 'node:util';
import type { Db } from '#api/db/schema.ts';
import type { Env } from '#api/env.ts';
import type { AuditTrust } from '#api/features/audit/audit-trust.ts';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import type { Limits } from '#api/features/key-system/limits.ts';
import type { SigningKey } from '#api/crypto/signing-key.ts';

/** What a command works on: the same database and secrets as the server's. */
export interface OpsContext {
  db: Db;
  pseudonyms: Pseudonyms;
  limits: Limits;
  signingKey: SigningKey;
  /** What the audit is held against, outside the database. */
  auditTrust: AuditTrust;
  /** Makes and publishes the next signing key, later puts it in place; undefined where the settings name the keys. */
  rotateKey: (() => Promise<{ kid: string; signsFrom: number; isInPlace: boolean }>) | undefined;
  now: () => number;
  /** The file of the embedded database; undefined where it is a PostgreSQL. */
  sqliteFile: string | undefined;
  /** Who types, as the machine knows them. */
  user: string;
}

/** What may follow a command. */
export const OPTIONS = {
  app: { type: 'string' },
  reason: { type: 'string' },
  until: { type: 'string' },
  for: { type: 'string' },
  by: { type: 'string' },
  lines: { type: 'string' },
  anchor: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export type OptionName = keyof typeof OPTIONS;

/** What was typed after a command. */
export interface Input {
  words: readonly string[];
  options: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
}

/** What a command answers: for machines, and for the terminal. */
export interface Answer {
  data: unknown;
  text: string;
  /** The question was answered, but not as it should be: the exit code is 1. */
  isBad?: boolean;
}

interface Described {
  /** `key block <hwid>`: its name, then how many words follow; one in brackets may be left out. */
  usage: string;
  says: string;
  options: readonly OptionName[];
}

/** What a command works on that needs no database to be there. */
export type OpsPlace = Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>;

export type Command = Described &
  (
    | { run(context: OpsContext, input: Input): Promise<Answer> }
    | { runOffline(place: OpsPlace, input: Input): Promise<Answer> }
  );

/** What was asked for cannot be done; nothing was changed. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
}

/** What was typed makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
