import { useIsHydrated, useKnownDevice, type Visitor } from '@app/platform';
import type { RunReading } from './use-run-state.ts';

/**
 * Whether a visitor has to begin in the app. With device and zone in the address a visitor does not. With a device
 * alone a visitor does not when this browser has begun the open run; runs that begin at the gate have no zone. Until
 * the server has answered, a device alone is enough.
 */
export function isStranger({ hwid, zone }: Pick<Visitor, 'hwid' | 'zone'>, reading: RunReading): boolean {
  if (!hwid) return true;
  if (zone) return false;

  return reading.status === 'ready' && !reading.state.run?.own;
}

/** Whether the visitor has to begin in the app. The first render knows only whether the address names a device. */
export function useIsStranger(visitor: Pick<Visitor, 'hwid' | 'zone'>, reading: RunReading): boolean {
  const isDeviceUnknown = useKnownDevice() === 'none';
  return useIsHydrated() ? isStranger(visitor, reading) : isDeviceUnknown;
}
