import { randomInt } from 'node:crypto';
import { ProviderError } from '#api/http/call-provider.ts';
import { singleString } from '#api/http/single-string.ts';
import type { Advertiser } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';
import type { CallAdvertiser } from './circuit-breaker.ts';

const HASH = /^[A-Za-z0-9]{64}$/;

/** A dynamic link, which anybody can decode, and a hash that only a finished visit has and that lives ten seconds. */
export function createLinkvertise(
  settings: () => AdvertisersSettings['linkvertise'],
  call: CallAdvertiser,
): Advertiser {
  return {
    id: 'linkvertise',
    hosts: () => settings().hosts,

    createLink({ returnUrl, link }) {
      const { linkBase, userId } = settings();
      const target = Buffer.from(encodeURI(returnUrl)).toString('base64');
      const publisher = link ?? `${linkBase}/${userId}`;
      return Promise.resolve(`${publisher}/${randomInt(1001)}/dynamic?r=${encodeURIComponent(target)}`);
    },

    bringsProof: (query) => Boolean(query['hash']),

    async checkProof(query) {
      const hash = singleString(query['hash']);
      if (hash === undefined || !HASH.test(hash)) return { verdict: 'refused' };

      const { apiBase, token } = settings();
      const url = new URL(`${apiBase}/api/v1/anti_bypassing`);
      url.search = new URLSearchParams({ token, hash }).toString();
      const isGood = await call(url, { method: 'POST', spends: true }, readVerdict);
      return isGood ? { verdict: 'confirmed', ref: hash } : { verdict: 'refused' };
    },
  };
}

/** Two words are documented. Anything else, such as `Invalid token.`, is about us and not about the visitor. */
function readVerdict(reply: string): boolean {
  if (reply === 'TRUE') return true;
  if (reply === 'FALSE') return false;
  throw new ProviderError('Linkvertise gave an unknown reply', { failure: 'unfit' });
}
