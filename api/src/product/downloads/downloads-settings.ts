import { DOWNLOAD_APPS, DOWNLOAD_PLATFORMS } from '@app/contracts/downloads';
import * as v from 'valibot';
import { parseJson, readNamedFile } from '#api/foundation/settings/read-json.ts';
import type { Env } from '#api/foundation/settings/env.ts';

/*
 * The file that DOWNLOADS_FILE names: the addresses of the downloads, as in downloads-settings.example.json.
 *   hosts      the hosts that visitors may be sent to; any other host is refused
 *   downloads  app → platform → address, version, size in bytes and SHA-256 of the file
 */

const host = v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be a host, such as files.example.com'));
const fileAddress = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && isPlainHttps(new URL(text)), 'must be an https address'),
);

const downloadSchema = v.strictObject({
  url: fileAddress,
  version: v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(40)),
  bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')),
});

const settingsSchema = v.strictObject({
  hosts: v.array(host),
  downloads: v.strictObject(
    optionalEach(DOWNLOAD_APPS, v.strictObject(optionalEach(DOWNLOAD_PLATFORMS, downloadSchema))),
  ),
});

/** The downloads of each app. An app or platform that is missing has none. */
export type DownloadsSettings = v.InferOutput<typeof settingsSchema>;

export const NO_DOWNLOADS: DownloadsSettings = { hosts: [], downloads: {} };

/** Parses the text of the file; the error names every wrong setting. */
export function parseDownloadsSettings(text: string): DownloadsSettings {
  const settings = parseJson(settingsSchema, text);
  requireListedHosts(settings);

  return settings;
}

function requireListedHosts(settings: DownloadsSettings): void {
  for (const [app, platforms] of Object.entries(settings.downloads)) {
    for (const [platform, download] of Object.entries(platforms ?? {})) {
      if (download && !settings.hosts.includes(new URL(download.url).host))
        throw new Error(`downloads.${app}.${platform}.url leads to a host that is not among hosts`);
    }
  }
}

function isPlainHttps({ protocol, username, password }: URL): boolean {
  return protocol === 'https:' && username + password === '';
}

function optionalEach<Name extends string, Schema extends v.GenericSchema>(
  names: readonly Name[],
  schema: Schema,
): Record<Name, v.OptionalSchema<Schema, undefined>> {
  return Object.fromEntries(names.map((name) => [name, v.optional(schema)])) as Record<
    Name,
    v.OptionalSchema<Schema, undefined>
  >;
}

/**
 * Reads the downloads from the settings. Without a file a development machine has demo files, and production has no
 * downloads.
 * @throws EnvError that names the setting, when its file is unusable
 */
export function loadDownloads({
  DOWNLOADS_FILE,
  NODE_ENV,
}: Pick<Env, 'DOWNLOADS_FILE' | 'NODE_ENV'>): DownloadsSettings | 'demo' {
  if (DOWNLOADS_FILE !== undefined) return readNamedFile('DOWNLOADS_FILE', DOWNLOADS_FILE, parseDownloadsSettings);

  return NODE_ENV === 'production' ? NO_DOWNLOADS : 'demo';
}
