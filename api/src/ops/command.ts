import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Db } from '#api/db/schema.ts';
import type { Env } from '#api/env.ts';
import type { SigningKey } from '#api/crypto/signing-key.ts';
import type { AuditTrust } from '#api/features/audit/audit-trust.ts';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import type { Limits } from '#api/features/key-system/limits.ts';

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

/** What a command works on that needs no database to be there. */
export type OpsPlace = Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>;

/** What a command answers: for machines, and for the terminal. */
export interface Answer {
  data: unknown;
  text: string;
  /** The question was answered, but not as it should be: the exit code is 1. */
  isBad?: boolean;
}

/** How commands are run: opened is only what a command line that makes sense asks for, and every answer is printed. */
export interface Runners {
  onSite: (act: (context: OpsContext) => Promise<Answer>) => Promise<void>;
  onPlace: (act: (place: OpsPlace) => Answer) => void;
}

/** Adds a group of commands to the program, or to a part of it. */
export type AddCommands = (program: CommandUnknownOpts, runners: Runners) => void;

/** What was asked for cannot be done; nothing was changed. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
}

/** What was typed makes no sense, as is seen only when the command runs. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
