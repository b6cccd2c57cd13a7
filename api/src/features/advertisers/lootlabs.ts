import * as v from 'valibot';
import { ProviderError, readJson, type CallProvider } from '#api/http/call-provider.ts';
import type { Advertiser } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';

/** `message` comes ready for a URL. */
const encryptedSchema = v.object({ type: v.literal('fetched'), message: v.pipe(v.string(), v.regex(/^[\w%.~-]+$/), v.maxLength(3000)) });

/** A link that hides the return address, and a call to our server once the visitor is through. */
export function createLootlabs(settings: () => AdvertisersSettings['lootlabs'], call: CallProvider): Advertiser {
  return {
    id: 'lootlabs',
    hosts: () => settings().hosts,

    async createLink({ attemptId, returnUrl, link }) {
      const { apiBase, link: ownLink, token } = settings();
      const reply = await call(new URL(`${apiBase}/api/public/url_encryptor`), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ destination_url: returnUrl }),
      });
      const encrypted = v.safeParse(encryptedSchema, readJson(reply));
      if (!encrypted.success) throw new ProviderError('LootLabs encrypted nothing', { failure: 'unfit' });

      return `${link ?? ownLink}&data=${encrypted.output.message}&puid=${attemptId}`;
    },

    checkProof: () => Promise.resolve({ verdict: 'awaited' }),
  };
}
