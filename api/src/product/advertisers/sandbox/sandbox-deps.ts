import type { AdvertiserId } from '@app/contracts/key-system';

/** What every fake advertiser needs to know of its server. */
export interface SandboxDeps {
  baseUrl: () => string;
  /** The origin under which this server can call itself. */
  selfOrigin: () => string;
  /** How long a visitor has to stay on the advertiser's page, in milliseconds. */
  countdownMs: (id: AdvertiserId) => Promise<number>;
  now: () => number;
}
