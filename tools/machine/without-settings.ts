import { readFileSync } from 'node:fs';

const SETTING_NAME_PATTERN = /^(?:# )?([A-Z][A-Z_]+)=/gm;

/**
 * The environment of this process without settings of the site, which a person may have for a site of their own. What it
 * says of networks, certificates, proxies and npm stays.
 */
export function withoutSettings(): NodeJS.ProcessEnv {
  const names = new Set(
    [...readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').matchAll(SETTING_NAME_PATTERN)].map(
      ([, name]) => name,
    ),
  );
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.has(name)));
}
