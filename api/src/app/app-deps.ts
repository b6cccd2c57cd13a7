import type { Router } from 'express';
import type { Logger } from 'pino';
import type { SigningKey } from '#api/crypto/signing-key.ts';
import type { Db } from '#api/db/schema.ts';
import type { AdvertisersSettings } from '#api/features/advertisers/advertisers-settings.ts';
import type { RecaptchaAccount } from '#api/features/captcha/recaptcha-account.ts';
import type { DownloadsSettings } from '#api/features/downloads/downloads-settings.ts';
import type { Limits } from '#api/features/key-system/limits.ts';
import type { CallProvider } from '#api/http/call-provider.ts';

/** What the API needs from whoever starts it. */
export interface AppDeps {
  db: Db;
  log: Logger;
  /** The name of this server, the same at each start, and no other one's on the same database. */
  instance: string;
  now: () => number;
  /** The site's own origin, as visitors know it. */
  baseUrl: () => string;
  trustProxy: number;
  pepper: string;
  signingKey: SigningKey;
  /** The key that is to sign next; apps get to know it beforehand. */
  nextSigningKey?: SigningKey | undefined;
  /** The id of a signing key that may sign without having been published. */
  emergencyKid?: string | undefined;
  /** Where this server reaches itself. */
  selfOrigin: () => string;
  /** Accounts with the advertisers, or the fake advertisers of a development machine. */
  advertisers: AdvertisersSettings | 'sandbox';
  /** Whether demo purchases and sample resellers stand in an empty site. */
  demoData: boolean;
  /** The folder of the texts that change without a deploy. */
  contentDir: string;
  /** Where pages fetch those texts, and where they turn to when they get none, when it is another site. */
  contentUrls?: readonly (string | undefined)[];
  /** Where pages hear of what was built anew, while somebody edits them. */
  updatesUrl?: string | undefined;
  /** Where the downloads lead, or the demo files of a development machine. */
  downloads: DownloadsSettings | 'demo';
  isStopping: () => boolean;
  /** How much can still be written to the disk of the data folder, in bytes. */
  freeBytes: () => Promise<number>;
  /** Pages, releases and whatever else is served beside the API, in this order. */
  routers: readonly Router[];
  /** Every number that the key system lives by. */
  limits: Limits;
  /** The account with reCAPTCHA, which then takes the place of ALTCHA. */
  recaptcha?: RecaptchaAccount | undefined;
  captchaCost?: number | undefined;
  minDwellMs?: number | undefined;
  callProvider?: CallProvider | undefined;
}
