import { qaStateSchema, shareSchema, type QaState } from '@app/contracts/qa';
import type { LocalUnit, PinChange } from '@app/contracts/qa-requests';
import { registrySchema, type RegistryListing } from '@app/contracts/registry';
import { callApi, fetchJson, postJson } from '@app/platform';

/** What this browser may do and has pinned, and for those with access all releases. */
export interface QaView {
  state: QaState;
  listing: RegistryListing | undefined;
}

/** What to say of a call that failed. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws ApiError */
export async function fetchView(signal: AbortSignal): Promise<QaView> {
  const state = await callApi(qaStateSchema, '/api/qa/pins', { signal });
  return { state, listing: state.access ? await callApi(registrySchema, '/api/releases', { signal }) : undefined };
}

/** @throws ApiError with the code `QA_ACCESS` when the key is wrong */
export async function enterAccess(key: string): Promise<void> {
  await fetchJson('/api/qa/access', postJson({ key }));
}

export async function endAccess(): Promise<void> {
  await fetchJson('/api/qa/access', { method: 'DELETE' });
}

/** Pins versions and simulates faults from the next page on. @throws ApiError with the code `QA_PIN` when they do not fit */
export async function putPins(change: PinChange): Promise<void> {
  await fetchJson('/api/qa/pins', { ...postJson(change), method: 'PUT' });
}

/** Removes all pins, from the next page on. */
export async function leavePins(): Promise<void> {
  await fetchJson('/api/qa/pins', { method: 'DELETE' });
}

/** Lets a unit come from the computer of this browser, from the next page on. */
export async function putLocal(local: LocalUnit): Promise<void> {
  await fetchJson('/api/qa/local', postJson(local));
}

export async function endLocal(): Promise<void> {
  await fetchJson('/api/qa/local', { method: 'DELETE' });
}

/**
 * Makes a link with the pins of this browser.
 * @param path path and query of a page
 */
export function makeShareLink(path: string): Promise<{ link: string; until: number }> {
  return callApi(shareSchema, '/api/qa/share', postJson({ path }));
}
