import type { AppId } from '@app/contracts/key-system';

/**
 * The app that a key names. Only a right signature makes that true, so what checks a key for this app has to check both.
 * @returns the main app where no app can be read
 */
export function audienceOf(key: string): AppId {
  try {
    const [, payload = ''] = key.split('.');
    const { aud } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { aud?: unknown };
    return typeof aud === 'string' ? aud : 'main';
  } catch {
    return 'main';
  }
}
