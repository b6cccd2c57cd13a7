import type { Visitor } from '@app/platform';
import type { RunReading } from './use-run-state.ts';

/**
 * Whether a visitor has to begin in the app. Device and zone in the address are enough. A device alone is enough when its
 * open run was begun in this browser, as it is at the gate. Until the server has answered, a device alone is not refused.
 */
export function isStranger({ hwid, zone }: Pick<Visitor, 'hwid' | 'zone'>, reading: RunReading): boolean {
  if (!hwid) return true;
  if (zone) return false;

  return reading.status === 'ready' && !reading.state.run?.own;
}
