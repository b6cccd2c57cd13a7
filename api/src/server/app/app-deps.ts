import type { SiteSettings } from '@app/contracts/site-settings';
import type { Router } from 'express';
import type { Logger } from 'pino';
import type { NamedKey, Signer } from '#api/foundation/crypto/signing-key.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { AdvertisersSettings } from '#api/product/advertisers/advertisers-settings.ts';
import type { RecaptchaAccount } from '#api/product/captcha/recaptcha-account.ts';
import type { DownloadsSettings } from '#api/product/downloads/downloads-settings.ts';
import type { StripeAccount } from '#api/product/payments/stripe-account.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import type { Prerendering } from '#api/delivery/rendering/prerendering.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import type { Limits } from '#api/product/key-system/limits.ts';
import type { CallProvider } from '#api/foundation/http/call-provider.ts';
import type { ServerLoad } from '#api/server/overload.ts';

/** Everything that the API needs from the program that starts it. */
export interface AppDeps {
  db: Db;
  log: Logger;
  /** The name of this server. It is the same at each start, and no other server on the same database has it. */
  instance: string;
  now: () => number;
  /** The site's own origin, as visitors know it. */
  baseUrl: () => string;
  trustProxy: number;
  pepper: string;
  signingKey: Signer;
  /** The key that will sign next. It is published beforehand, so that apps know it in time. */
  nextSigningKey?: NamedKey | undefined;
  /** The `kid` of a signing key that may sign at once, although it was not published before. */
  emergencyKid?: string | undefined;
  /** The origin under which this server can call itself. */
  selfOrigin: () => string;
  /** Accounts with the advertisers, or the fake advertisers of a development machine. */
  advertisers: AdvertisersSettings | 'sandbox';
  /** The account with Stripe, or the fake Stripe of a development machine. Without one nobody can buy. */
  stripe?: StripeAccount | 'sandbox' | undefined;
  /** Whether the site fills itself with demo purchases and sample resellers while it has none of its own. */
  demoData: boolean;
  /** The folder with the texts that can change without a deploy. */
  contentDir: string;
  /**
   * The addresses that pages fetch those texts from, where these are on other sites: the usual one, then the fallback.
   */
  contentUrls?: readonly (string | undefined)[];
  /** The WebSocket address at which open pages learn of new builds, in development only. */
  updatesUrl?: string | undefined;
  /** The addresses of the downloads, or the demo files of a development machine. */
  downloads: DownloadsSettings | 'demo';
  /** Whether the form that resets devices tells who has a plan (`spec`), or answers every address alike. */
  resetPrivacy: 'spec' | 'strict';
  isStopping: () => boolean;
  /** What this server has to refuse, because it has too much to do. */
  load: ServerLoad;
  /** Finds how many bytes can still be written to the disk of the data folder. */
  freeBytes: () => Promise<number>;
  /** Where releases are kept, and which of them are served. */
  releases: Pick<Releases, 'store' | 'registry'> & { health?: ReleaseHealth | undefined };
  /** The key to QA access; and whether everybody has it where there is no key, as on a development machine. */
  qa: { accessKey: string | undefined; isOpen: boolean };
  /** What is served beside the API, such as the files of releases, in this order. */
  routers: readonly Router[];
  /** Knows the pages that were rendered ahead of time. */
  prerendering?: Prerendering | undefined;
  /** What pages need to know. Without it no page is served. */
  siteSettings?: SiteSettings | undefined;
  /** The numbers of the key system: times, limits, strikes, retention. */
  limits: Limits;
  /** The account with reCAPTCHA, if the site uses it instead of ALTCHA. */
  recaptcha?: RecaptchaAccount | undefined;
  /** For tests: the cost of an ALTCHA challenge. */
  captchaCost?: number | undefined;
  /** For tests: the shortest stay at every advertiser, in milliseconds. */
  minDwellMs?: number | undefined;
  callProvider?: CallProvider | undefined;
}
