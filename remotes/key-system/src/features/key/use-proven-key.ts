import type { AppId } from '@app/contracts/key-system';
import { useQuery } from '@app/platform';
import { loadVerifier } from '../../verifier/load-verifier.ts';

/** A key and its device, once this browser has found its signature right. */
export interface ProvenKey {
  key: string;
  hwid: string;
}

interface KeyOfDevice {
  app: AppId;
  hwid: string | undefined;
  zone: string | undefined;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Fetches the key of a device, with the call and the parameters of its app, and checks it in this browser.
 * @param of undefined: there is no key for the zone of the page
 * @returns `proven` is undefined until the key was found valid, and stays so when this browser cannot check it
 */
export function useProvenKey(of: KeyOfDevice | undefined): { proven: ProvenKey | undefined; isChecking: boolean } {
  const { data, isFetching } = useQuery(of?.hwid && JSON.stringify(of), async (signal) =>
    of?.hwid ? prove(of.app, of.hwid, of.zone, signal) : undefined,
  );
  return { proven: data, isChecking: isFetching };
}

async function prove(app: AppId, hwid: string, zone: string | undefined, signal: AbortSignal) {
  const { fetchKey, openVerifier } = await loadVerifier();
  const [key, verifier] = await Promise.all([fetchKey(app, { hwid, zone }, signal), openVerifier()]);
  if (key === undefined) return undefined;

  const { finding } = await verifier.check({ key, hwid });
  return finding.code === 'VALID' && finding.app === app ? { key, hwid } : undefined;
}
