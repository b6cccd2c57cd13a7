import type { ErrorCode } from '@app/contracts/errors';
import { firstAdvertiser, type AdvertiserId, type AppId } from '@app/contracts/key-system';
import { PAGES, runPagePath } from '@app/contracts/pages';
import type { RunRow } from '#api/db/schema.ts';
import type { DeviceClaim } from '#api/features/devices/device-claim.ts';

/** The pages of the key system a visitor can be led to. */
export type Destination =
  | {
      page: 'step';
      step: number;
      advertiser?: AdvertiserId | undefined;
      /** Why the visitor is here rather than further on. */
      notice?: ErrorCode;
      /** When the visitor can go on, in epoch milliseconds. */
      until?: number;
      /** The page waits for an advertiser's confirmation that is on its way. */
      wait?: true;
      /** The page begins a run beside the one that is open for another zone. */
      run?: 'new';
      /** There is no open run: here one begins. */
      begins?: true;
    }
  | { page: 'getkey' }
  | {
      page: 'bypass';
      reason: ErrorCode;
      /** When the visitor can go on, in epoch milliseconds. */
      until?: number | null;
    };

/** The result of a use case that leads its visitor to a page. */
export interface PageResult {
  kind: 'destination';
  destination: Destination;
}

export function leadTo(destination: Destination): PageResult {
  return { kind: 'destination', destination };
}

/** Where a run begins. */
export const BEGINNING = { page: 'step', step: 1, begins: true } as const satisfies Destination;

/** The path and query of a destination's page. Without a visitor the page asks for the app's own button. */
export function destinationUrl(app: AppId, destination: Destination, visitor?: Partial<DeviceClaim>): string {
  // Without a zone no step page begins a run, the gate does; the companion has none.
  const isGate = destination.page === 'step' && destination.begins && app === 'main' && visitor?.hwid && !visitor.zone;
  const query = new URLSearchParams();
  if (visitor?.hwid) query.set('hwid', visitor.hwid);
  if (visitor?.zone) query.set('zone', visitor.zone);
  if (visitor?.os) query.set('os', visitor.os);
  if (destination.page === 'bypass') query.set('r', destination.reason);
  if (destination.page === 'step') {
    if (destination.advertiser) query.set('advertiser', destination.advertiser);
    if (destination.notice) query.set('e', destination.notice);
    if (destination.wait) query.set('wait', '1');
    if (destination.run) query.set('run', destination.run);
  }
  if (destination.page !== 'getkey' && destination.until) query.set('until', new Date(destination.until).toISOString());

  const path = isGate
    ? PAGES.gate
    : runPagePath(app, destination.page === 'step' ? destination.step : destination.page);
  return `${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** What of a run says where its visitor belongs. */
type LocatedRun = Pick<RunRow, 'appId' | 'state' | 'step' | 'expiresAt'>;

/** Where a visitor belongs by what the database says of the run, whatever page they came from. */
export function resolveDestination(run: LocatedRun, at: number, lastAdvertiser?: AdvertiserId): Destination {
  if (run.state === 'completed') return { page: 'getkey' };
  if (run.state === 'blocked') return { page: 'bypass', reason: 'KS_BLOCKED' };
  if (run.state !== 'open') return BEGINNING;
  if (run.expiresAt <= at) return { ...BEGINNING, notice: 'KS_EXPIRED' };

  return { page: 'step', step: run.step, advertiser: firstAdvertiser(run.appId, run.step, lastAdvertiser) };
}
