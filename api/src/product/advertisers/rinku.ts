import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type Advertiser, type CallAdvertiser, readReply } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';

const shortenedSchema = v.object({ status: v.literal('success'), shortenedUrl: v.string() });

/**
 * The adapter of Rinku: a new short link for each attempt. It proves only that the visitor reached the secret return
 * address.
 */
export function createRinku(settings: () => AdvertisersSettings['rinku'], call: CallAdvertiser): Advertiser {
  return {
    id: 'rinku',
    hosts: () => settings().hosts,

    async createLink({ returnUrl }) {
      const { apiBase, apiKey } = settings();
      const url = new URL(`${apiBase}/api`);
      url.search = new URLSearchParams({
        api: apiKey,
        url: returnUrl,
        alias: randomBytes(12).toString('hex'),
      }).toString();
      // An alias works once, so the call must not be repeated.
      const { shortenedUrl } = await call(
        url,
        { spends: true, isLenient: true },
        readReply(shortenedSchema, 'Rinku shortened nothing'),
      );

      return shortenedUrl;
    },

    bringsProof: () => true,
    isAddressProof: true,

    checkProof: () => Promise.resolve({ verdict: 'confirmed', ref: null }),
  };
}
