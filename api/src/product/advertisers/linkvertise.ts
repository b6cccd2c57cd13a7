import { randomInt } from 'node:crypto';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { singleString } from '#api/foundation/http/request-input.ts';
import type { Advertiser, CallAdvertiser } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';

const HASH = /^[A-Za-z0-9]{64}$/;

/**
 * The adapter of Linkvertise. The dynamic link carries the return address in base64, which any visitor can decode. The
 * proof is a hash that only a finished visit gets; Linkvertise accepts it for ten seconds.
 */
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

/**
 * Two replies are documented; spaces, line ends and a byte order mark around them mean nothing. Any other, such as
 * `Invalid token.`, says something about our account and nothing about the visitor.
 */
function readVerdict(reply: string): boolean {
  const verdict = reply.trim().toUpperCase();
  if (verdict === 'TRUE') return true;
  if (verdict === 'FALSE') return false;
  throw new ProviderError('Linkvertise gave an unknown reply', { failure: 'unfit' });
}
