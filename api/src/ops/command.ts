import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { DataLocation } from '#api/foundation/db/backup.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { AuditTrust } from '#api/foundation/audit/audit-trust.ts';
import type { PostWebhook, WebhookAddresses } from '#api/foundation/webhooks/post-webhook.ts';
import type { WebhookSigner } from '#api/foundation/webhooks/webhook-signer.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { EmailCipher } from '#api/product/licences/email-cipher.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import type { OrderCipher } from '#api/product/payments/checkout.ts';
import type { PaymentProvider } from '#api/product/payments/stripe.ts';

/** What a command works with: the server's database and secrets. */
export interface OpsContext {
  db: Db;
  pseudonyms: Pseudonyms;
  emails: EmailCipher;
  orderCipher: OrderCipher;
  /** The payment provider; undefined without an account that this command can use. */
  provider: PaymentProvider | undefined;
  limits: Limits;
  signingKey: Signer;
  webhooks: { signer: WebhookSigner; post: PostWebhook; addresses: WebhookAddresses };
  /** The trusted keys and anchors, which are outside the database. */
  auditTrust: AuditTrust;
  /** The data folder of a site that generates its signing keys; undefined where the settings name the keys. */
  generatedKeysIn: string | undefined;
  now: () => number;
  /** The operator's user name on this machine. */
  user: string;
}

/** What an operator does now, in their own name unless another was given. */
export function createAct({ user, now }: OpsContext, by = user): Act {
  return { by, at: now() };
}

/** What a command works with that opens no database, or replaces it. */
export interface OpsLocation extends DataLocation {
  /** Runs what needs the database, in its state at that moment. */
  onSite: (act: (context: OpsContext) => Promise<Answer>) => Promise<Answer>;
}

/** The answer of a command: `data` for machines, `text` for the terminal. */
export interface Answer {
  data: unknown;
  text: string;
  /** The answer is not as it should be, so the exit code is 1. */
  isBad?: boolean;
}

/**
 * Run commands and print their answers. `onSite` opens the database, once the command line was parsed without errors;
 * `onLocation` does not.
 */
export interface Runners {
  onSite: (act: (context: OpsContext) => Promise<Answer>) => Promise<void>;
  onLocation: (act: (place: OpsLocation) => Promise<Answer>) => Promise<void>;
}

/** Adds a group of commands to the program. */
export type AddCommands = (program: CommandUnknownOpts, runners: Runners) => void;

/** The command cannot be done. Nothing was changed. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
}

/** The command line is wrong in a way that the parser cannot see. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
