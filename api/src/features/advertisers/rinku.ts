import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { ProviderError, readJson, type CallProvider } from '#api/http/call-provider.ts';
import type { Advertiser } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';

const shortenedSchema = v.object({ status: v.literal('success'), shortenedUrl: v.string() });

/** A fresh short link for each attempt. It proves nothing but that its secret destination was reached. */
export function createRinku(settings: () => AdvertisersSettings['rinku'], call: CallProvider): Advertiser {
  return {
    id: 'rinku',
    hosts: () => settings().hosts,

    async createLink({ returnUrl }) {
      const { apiBase, apiKey } = settings();
      const url = new URL(`${apiBase}/api`);
      url.search = new URLSearchParams({ api: apiKey, url: returnUrl, alias: randomBytes(12).toString('hex') }).toString();
      const reply = v.safeParse(shortenedSchema, readJson(await call(url)));
      if (!reply.success) throw new ProviderError('Rinku shortened nothing', { failure: 'unfit' });

      return reply.output.shortenedUrl;
    },

    checkProof: () => Promise.resolve({ verdict: 'confirmed', ref: null }),
  };
}
