import type { AppId } from '@app/contracts/key-system';

/**
 * What a key says of itself. Only a right signature makes that true, so what checks a key has to check it, too.
 * @returns nothing where no claims can be read
 */
export function readClaims(key: string): { aud?: unknown; src?: unknown } {
  try {
    const [, payload = ''] = key.split('.');
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object;
  } catch {
    return {};
  }
}

export function audienceOf(key: string): AppId {
  const { aud } = readClaims(key);
  return typeof aud === 'string' ? aud : 'main';
}
