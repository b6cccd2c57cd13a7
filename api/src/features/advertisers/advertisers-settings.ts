import * as v from 'valibot';
import { parseJson } from '#api/parse-json.ts';

/*
 * The file that ADVERTISERS_FILE names holds the accounts with the advertisers, as in advertisers-settings.example.json:
 *   hosts     where visitors may be sent; any other host in a link is refused
 *   apiBase   where the advertiser's own interface is
 *   the rest  ids, links and secrets from the advertiser's panel
 * Every address is https, or http on this very machine.
 */

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const webAddress = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && isSafe(new URL(text)), 'must be an https address'),
);
const secret = v.pipe(v.string(), v.minLength(8, 'must have at least 8 characters'));
const hosts = v.pipe(v.array(v.string()), v.minLength(1, 'must name a host'));

export const advertisersSettingsSchema = v.strictObject({
  linkvertise: v.strictObject({
    hosts,
    apiBase: webAddress,
    /** The host of dynamic links, such as https://link-to.net. */
    linkBase: webAddress,
    userId: v.pipe(v.string(), v.regex(/^\d+$/)),
    /** The anti-bypass token. */
    token: secret,
  }),
  workink: v.strictObject({
    hosts,
    apiBase: webAddress,
    /** The static link whose destination each visit overrides. */
    link: webAddress,
    /** The ids of that link and of every other in the table of step links: only their tokens count. */
    linkIds: v.pipe(v.array(v.number()), v.minLength(1, 'must name the id of the link')),
  }),
  lootlabs: v.strictObject({
    hosts,
    apiBase: webAddress,
    /** The link of the panel, with its question mark part. */
    link: webAddress,
    token: secret,
    /** The last part of the postback's address: /api/keysystem/postback/<this>. */
    postbackSecret: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{24,}$/, 'must have at least 24 letters and digits')),
  }),
  rinku: v.strictObject({ hosts, apiBase: webAddress, apiKey: secret }),
});

export type AdvertisersSettings = v.InferOutput<typeof advertisersSettingsSchema>;

/** Reads the text of the file, or throws with the name of what is wrong in it. */
export function parseAdvertisersSettings(text: string): AdvertisersSettings {
  return parseJson(advertisersSettingsSchema, text);
}

/** The same for a site that is in use: nothing on this machine, and nothing that still says what to put in its place. */
export function parseAdvertisersInUse(text: string): AdvertisersSettings {
  const settings = parseAdvertisersSettings(text);
  const tryOuts = Object.entries(settings).flatMap(([advertiser, account]) =>
    Object.entries(account)
      .filter(([, value]) => typeof value === 'string' && /^(http:|replace-with)/.test(value))
      .map(([name]) => `${advertiser}.${name} is for trying out and refused in production`),
  );
  if (tryOuts.length > 0) throw new Error(tryOuts.join('; '));

  return settings;
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}
