import { APP_IDS, type AppId } from '@app/contracts/key-system';

/** Checks a key for the first app and, when the key is for another app, for the second. The page that checks keys belongs to no app. */
export async function forItsApp<Found extends { code: string }>(
  check: (app: AppId) => Promise<Found>,
  [first = 'main', second]: readonly AppId[] = APP_IDS,
): Promise<Found> {
  const found = await check(first);
  return found.code === 'APP_MISMATCH' && second ? check(second) : found;
}
