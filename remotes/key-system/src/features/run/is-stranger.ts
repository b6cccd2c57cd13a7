import type { Visitor } from '@app/platform';
import type { RunReading } from './use-run-state.ts';

/**
 * Whether a visitor has to begin in the app. Who brings device and zone has not; who brings a device alone has not either
 * when its open run was begun in this browser, as the gate begins it. Before the server has answered nobody is a stranger for lack of a zone.
 */
export function isStranger({ hwid, zone }: Pick<Visitor, 'hwid' | 'zone'>, reading: RunReading): boolean {
  if (!hwid) return true;
  if (zone) return false;

  return reading.status === 'ready' && !reading.state.run?.own;
}
