import { statSync } from 'node:fs';
import * as v from 'valibot';
import { EnvError, longSecret, readAll } from '#api/foundation/settings/env.ts';
import { readSigningKey, type SigningKey } from '#api/foundation/crypto/signing-key.ts';
import { readNamedFile } from '#api/foundation/settings/read-json.ts';

const GROUP_OR_OTHERS = 0o077;

const settingsSchema = v.object({
  SIGNER_SOCKET: v.string('must name the socket'),
  SIGNER_SECRET: v.pipe(v.string('must be that of the servers'), longSecret),
  /** Who may connect: `600` the signer's own user, `660` its group as well. */
  SIGNER_SOCKET_MODE: v.optional(v.picklist(['600', '660']), '600'),
  SIGNING_KEY_FILE: v.string('must name the file with the private key'),
  FORMER_SIGNING_KEY_FILE: v.optional(v.string()),
  SIGNER_MAX_PER_SECOND: v.optional(
    v.pipe(v.string(), v.regex(/^[1-9]\d{0,5}$/, 'must be a whole number above 0'), v.transform(Number)),
    '100',
  ),
  BASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => URL.canParse(text), 'must be an address'),
    ),
  ),
});

/**
 * Reads the settings of the signer and its keys.
 * @throws EnvError that names all settings that are wrong
 */
export function readSignerSettings(source: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const read = v.safeParse(settingsSchema, given);
  if (!read.success)
    throw new EnvError(
      read.issues.map((issue) => `${v.getDotPath(issue) ?? 'A setting'}: ${issue.message}`).join('\n'),
    );

  const { SIGNING_KEY_FILE, FORMER_SIGNING_KEY_FILE, BASE_URL, ...settings } = read.output;
  const { key, former } = readAll({
    key: () => readPrivateKey('SIGNING_KEY_FILE', SIGNING_KEY_FILE),
    former: () => FORMER_SIGNING_KEY_FILE && readPrivateKey('FORMER_SIGNING_KEY_FILE', FORMER_SIGNING_KEY_FILE),
  });
  return {
    ...settings,
    keys: former ? [key, former] : [key],
    issuer: BASE_URL === undefined ? undefined : new URL(BASE_URL).origin,
  };
}

function readPrivateKey(setting: string, path: string): SigningKey {
  const key = readNamedFile(setting, path, readSigningKey);
  if ((statSync(path).mode & GROUP_OR_OTHERS) !== 0)
    throw new EnvError(`${setting}: ${path} can be read by others; type: chmod 600 ${path}`);
  return key;
}
