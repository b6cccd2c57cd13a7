import { randomInt } from 'node:crypto';
import { ProviderError, type CallProvider } from '#api/http/call-provider.ts';
import { singleString } from '#api/http/single-string.ts';
import type { Advertiser } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';

const HASH = /^[A-Za-z0-9]{64}$/;

/** A dynamic link, which anybody can decode, and a hash that only a finished visit has and that lives ten seconds. */
export function createLinkvertise(settings: () => AdvertisersSettings['linkvertise'], call: CallProvider): Advertiser {
  return {
    id: 'linkvertise',
    hosts: () => settings().hosts,

    createLink({ returnUrl, link }) {
      const { linkBase, userId } = settings();
      const target = Buffer.from(encodeURI(returnUrl)).toString('base64');
      const publisher = link ?? `${linkBase}/${userId}`;
      return Promise.resolve(`${publisher}/${randomInt(1001)}/dynamic?r=${encodeURIComponent(target)}`);
    },

    async checkProof(query) {
      const hash = singleString(query['hash']);
      if (hash === undefined || !HASH.test(hash)) return { verdict: 'refused' };

      const { apiBase, token } = settings();
      const url = new URL(`${apiBase}/api/v1/anti_bypassing`);
      url.search = new URLSearchParams({ token, hash }).toString();
      const reply = await call(url, { method: 'POST', spends: true });

      if (reply === 'TRUE') return { verdict: 'confirmed', ref: hash };
      if (reply === 'FALSE') return { verdict: 'refused' };
      throw new ProviderError('Linkvertise gave an unknown reply', { failure: 'unfit' });
    },
  };
}
