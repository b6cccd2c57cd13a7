import { qaStateSchema, shareSchema, type QaState } from '@app/contracts/qa';
import type { LocalUnit, PinChange } from '@app/contracts/qa-requests';
import { registrySchema, type RegistryListing } from '@app/contracts/registry';
import { callApi, fetchJson, postJson, showToast } from '@app/platform';
import { useState } from 'react';

/** What this browser may do and has pinned, and for those with access all releases. */
export interface QaView {
  state: QaState;
  listing: RegistryListing | undefined;
}

export async function fetchView(signal: AbortSignal): Promise<QaView> {
  const state = await callApi(qaStateSchema, '/api/qa/pins', { signal });
  return { state, listing: state.access ? await callApi(registrySchema, '/api/releases', { signal }) : undefined };
}

/** Each takes effect from the next page on, and throws an ApiError when the server refuses. */
export const enterAccess = (key: string) => fetchJson('/api/qa/access', postJson({ key }));
export const endAccess = () => fetchJson('/api/qa/access', { method: 'DELETE' });
export const putPins = (change: PinChange) => fetchJson('/api/qa/pins', { ...postJson(change), method: 'PUT' });
export const leavePins = () => fetchJson('/api/qa/pins', { method: 'DELETE' });
export const putLocal = (local: LocalUnit) => fetchJson('/api/qa/local', postJson(local));
export const endLocal = () => fetchJson('/api/qa/local', { method: 'DELETE' });

export const makeShareLink = (path: string) => callApi(shareSchema, '/api/qa/share', postJson({ path }));

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Makes a change and loads the page anew: versions are never swapped in a living page. Says what went wrong in a toast. */
export function changeAndReload(change: () => Promise<unknown>): void {
  change().then(
    () => location.reload(),
    (error: unknown) => showToast(messageOf(error)),
  );
}

/** Makes changes one at a time, and tells what went wrong with the last one. Without `onDone` the page is loaded anew. */
export function useChange(onDone?: () => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function change(act: () => Promise<unknown>) {
    setIsBusy(true);
    try {
      await act();
      if (!onDone) return location.reload();
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setIsBusy(false);
  }

  return { isBusy, problem, setProblem, change: (act: () => Promise<unknown>) => void change(act) };
}
