import { knownDeviceIn, namesRefusal, type KnownDevice } from '@app/contracts/carried';

/** What the query of an address names that its page shows from the start. */
export interface NamedInAddress {
  device: KnownDevice;
  /** Whether it has the code of a refusal. */
  refusal: boolean;
}

export const NOTHING_NAMED: NamedInAddress = { device: 'none', refusal: false };

/** Reads what an address names. */
export function namedIn(pathAndQuery: string): NamedInAddress {
  const start = pathAndQuery.indexOf('?');
  if (start < 0) return NOTHING_NAMED;

  const query = new URLSearchParams(pathAndQuery.slice(start));
  const find = (name: string) => query.get(name);
  return { device: knownDeviceIn(find), refusal: namesRefusal(find) };
}

/** The attributes of a document that was rendered ahead of time for such an address. */
export function namedAttributes({ device, refusal }: NamedInAddress): string {
  return (device === 'none' ? '' : ` data-device="${device}"`) + (refusal ? ' data-refused' : '');
}
