import * as v from 'valibot';
import { singleString } from '#api/foundation/http/request-input.ts';
import { type Advertiser, type CallAdvertiser, readReply } from './advertiser.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';

const TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const overrideSchema = v.object({ sr: v.pipe(v.string(), v.minLength(1), v.maxLength(2048)) });
const validitySchema = v.variant('valid', [
  v.object({
    valid: v.literal(true),
    deleted: v.boolean(),
    info: v.object({ token: v.string(), createdAt: v.number(), linkId: v.number(), expiresAfter: v.number() }),
  }),
  v.object({ valid: v.literal(false) }),
]);

/**
 * Work.ink replaces this by a token. A return that still has it comes from a visitor who only opened the destination.
 */
const PLACEHOLDER = '{TOKEN}';

/**
 * The adapter of Work.ink. The destination of the link is set for each visit. The proof is a token; the call that
 * checks it deletes it.
 */
export function createWorkink(
  settings: () => AdvertisersSettings['workink'],
  call: CallAdvertiser,
  now: () => number,
): Advertiser {
  return {
    id: 'workink',
    hosts: () => settings().hosts,

    async createLink({ returnUrl, link }) {
      const { apiBase, link: ownLink } = settings();
      const url = new URL(`${apiBase}/_api/v2/override`);
      url.search = new URLSearchParams({ destination: `${returnUrl}?token=${PLACEHOLDER}` }).toString();
      const { sr } = await call(url, { isLenient: true }, readReply(overrideSchema, 'Work.ink gave no override'));

      const target = new URL(link ?? ownLink);
      target.searchParams.set('sr', sr);
      return target.href;
    },

    bringsProof: ({ token }) => Boolean(token) && token !== PLACEHOLDER,

    async checkProof(query, { issuedAt }) {
      const token = singleString(query['token']);
      if (token === undefined || !TOKEN.test(token)) return { verdict: 'refused' };

      const { apiBase, linkIds } = settings();
      const url = new URL(`${apiBase}/_api/v2/token/isValid/${token}?deleteToken=1`);
      const reply = await call(url, { spends: true }, readReply(validitySchema, 'Work.ink gave an unknown reply'));
      if (!reply.valid) return { verdict: 'refused' };

      const { deleted, info } = reply;
      const isOurs = deleted && info.token.toLowerCase() === token.toLowerCase() && linkIds.includes(info.linkId);
      const isOfThisVisit = info.createdAt >= issuedAt && info.expiresAfter > now();
      return isOurs && isOfThisVisit ? { verdict: 'confirmed', ref: token.toLowerCase() } : { verdict: 'refused' };
    },
  };
}
