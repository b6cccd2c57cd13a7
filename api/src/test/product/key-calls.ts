import type { TestApi } from '#api/test/create-test-api.ts';
import { HWID, ZONE } from './visitor-steps.ts';

/** Asks for a device's key, as its app does. */
export async function askForKey(
  api: TestApi,
  query = `hwid=${HWID}&zone=${ZONE}`,
): Promise<{ status: string; key?: string }> {
  return (await (await api.ask(`/api/key?${query}`)).json()) as { status: string; key?: string };
}

/** Asks whether a key is good. */
export async function verify(
  api: TestApi,
  key: string | undefined,
  { hwid = HWID, ...others }: { hwid?: string; app?: string; nonce?: unknown } = {},
): Promise<Record<string, unknown>> {
  return (await (await api.post('/api/key/verify', { key, hwid, ...others })).json()) as Record<string, unknown>;
}
