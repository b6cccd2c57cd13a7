import type { AdvertiserId } from '@app/contracts/key-system';

/** What every fake advertiser needs to know of the server it lives in. */
export interface SandboxDeps {
  baseUrl: () => string;
  /** Where this server can reach itself. */
  selfOrigin: () => string;
  /** How long a visitor is kept on an advertiser's page. */
  countdownMs: (id: AdvertiserId) => Promise<number>;
  now: () => number;
}
