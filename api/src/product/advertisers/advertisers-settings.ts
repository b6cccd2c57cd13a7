import * as v from 'valibot';
import type { Env } from '#api/foundation/settings/env.ts';
import { parseJson, readNamedFile } from '#api/foundation/settings/read-json.ts';

/*
 * The file that ADVERTISERS_FILE names: the accounts with the advertisers, as in advertisers-settings.example.json.
 *   hosts     the hosts that visitors may be sent to; a link to any other host is refused
 *   apiBase   the address of the advertiser's API
 *   the rest  ids, links and secrets from the advertiser's panel
 * Every address is https, or http on this machine.
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
    /** The static link; each visit sets its destination anew. */
    link: webAddress,
    /** The ids of that link and of all links among the step links. Tokens of other links are refused. */
    linkIds: v.pipe(v.array(v.number()), v.minLength(1, 'must name the id of the link')),
  }),
  lootlabs: v.strictObject({
    hosts,
    apiBase: webAddress,
    /** The link from the panel, with its query. */
    link: webAddress,
    token: secret,
    /** The last part of the postback's address: /api/keysystem/postback/<this>. */
    postbackSecret: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{24,}$/, 'must have at least 24 letters and digits')),
  }),
  rinku: v.strictObject({ hosts, apiBase: webAddress, apiKey: secret }),
});

export type AdvertisersSettings = v.InferOutput<typeof advertisersSettingsSchema>;

/** Without a file a development machine has the sandbox; production refuses to start. */
export function loadAdvertisers({
  ADVERTISERS_FILE,
  NODE_ENV,
}: Pick<Env, 'ADVERTISERS_FILE' | 'NODE_ENV'>): AdvertisersSettings | 'sandbox' {
  if (ADVERTISERS_FILE === undefined) return 'sandbox';

  const parse = NODE_ENV === 'production' ? parseAdvertisersInUse : parseAdvertisersSettings;
  return readNamedFile('ADVERTISERS_FILE', ADVERTISERS_FILE, parse);
}

/** @throws Error that names every wrong setting */
export function parseAdvertisersSettings(text: string): AdvertisersSettings {
  return parseJson(advertisersSettingsSchema, text);
}

/** @throws Error also for http addresses, and for placeholders of the example file */
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
