import * as v from 'valibot';
import type { ProviderRequest } from '#api/foundation/http/call-provider.ts';
import { type Advertiser, type CallAdvertiser, readReply } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';

/** `message` is URL-encoded already; base64 that is not, is encoded here. */
const encryptedSchema = v.object({
  type: v.picklist(['fetched', 'success']),
  message: v.pipe(
    v.string(),
    v.regex(/^[\w%.~+/=-]+$/),
    v.maxLength(3000),
    v.transform((message) => message.replace(/[+/=]/g, encodeURIComponent)),
  ),
});

/**
 * The adapter of LootLabs. The link carries the return address encrypted. The proof is LootLabs' call to our server
 * (the postback).
 */
export function createLootlabs(settings: () => AdvertisersSettings['lootlabs'], call: CallAdvertiser): Advertiser {
  return {
    id: 'lootlabs',
    hosts: () => settings().hosts,

    async createLink({ attemptId, returnUrl, link }) {
      const { apiBase, link: ownLink, token } = settings();
      const request: ProviderRequest = {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ destination_url: returnUrl }),
        isLenient: true,
      };
      const encrypted = await call(
        new URL(`${apiBase}/api/public/url_encryptor`),
        request,
        readReply(encryptedSchema, 'LootLabs encrypted nothing'),
      );

      return `${link ?? ownLink}&data=${encrypted.message}&puid=${attemptId}`;
    },

    bringsProof: () => true,

    checkProof: () => Promise.resolve({ verdict: 'awaited' }),
  };
}
