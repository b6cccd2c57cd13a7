import type { ErrorCode } from '@app/contracts/errors';
import { firstAdvertiser, type AdvertiserId } from '@app/contracts/advertisers';
import { isSpecified, type AppId } from '@app/contracts/key-system';
import { appQuery, PAGES, runPagePath } from '@app/contracts/pages';
import type { RunRow } from '#api/foundation/db/schema.ts';
import type { DeviceClaim } from '#api/product/devices/device.ts';

export type Destination =
  | {
      page: 'step';
      step: number;
      advertiser?: AdvertiserId | undefined;
      /** Why the visitor is led here and not further. */
      notice?: ErrorCode;
      /** When the visitor can go on, in epoch milliseconds. */
      until?: number;
      /** The page waits for a postback that is on its way. */
      wait?: true;
      /** The page begins a new run beside the open one, which is for another zone. */
      run?: 'new';
      /** There is no open run; this page begins one. */
      begins?: true;
    }
  | { page: 'getkey' }
  | {
      page: 'bypass';
      reason: ErrorCode;
    };

export interface PageResult {
  kind: 'destination';
  destination: Destination;
}

export function redirectTo(destination: Destination): PageResult {
  return { kind: 'destination', destination };
}

export const FIRST_STEP = { page: 'step', step: 1, begins: true } as const satisfies Destination;

/** Without a visitor, whose device and zone the address carries, the page asks to begin in the app. */
export function destinationUrl(app: AppId, destination: Destination, visitor?: Partial<DeviceClaim>): string {
  // Step pages begin no run without a zone, but the gate does. Other apps have no gate.
  const isGate = destination.page === 'step' && destination.begins && app === 'main' && visitor?.hwid && !visitor.zone;
  const query = new URLSearchParams(Object.entries(appQuery(app)));
  if (visitor?.hwid) query.set('hwid', visitor.hwid);
  if (visitor?.zone) query.set('zone', visitor.zone);
  if (visitor?.os) query.set('os', visitor.os);
  if (destination.page === 'bypass') query.set('r', destination.reason);
  if (destination.page === 'step') {
    if (destination.advertiser) query.set('advertiser', destination.advertiser);
    if (destination.notice) query.set('e', destination.notice);
    if (destination.wait) query.set('wait', '1');
    if (destination.run) query.set('run', destination.run);
    if (destination.until) query.set('until', new Date(destination.until).toISOString());
  }

  const path = isGate
    ? PAGES.gate
    : runPagePath(app, destination.page === 'step' ? destination.step : destination.page);
  return `${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

export type LocatedRun = Pick<RunRow, 'appId' | 'state' | 'step' | 'expiresAt'>;

/** `lastAdvertiser` stays chosen within a series, where the next step offers it. */
export function resolveDestination(run: LocatedRun, at: number, lastAdvertiser?: AdvertiserId): Destination {
  if (run.state === 'completed') return { page: 'getkey' };
  if (run.state === 'blocked') return { page: 'bypass', reason: 'KS_BLOCKED' };
  if (run.state !== 'open') return FIRST_STEP;
  if (run.expiresAt <= at) return { ...FIRST_STEP, notice: 'KS_EXPIRED' };

  // All steps of a registered app offer the same.
  const advertiser = isSpecified(run.appId) ? firstAdvertiser(run.appId, run.step, lastAdvertiser) : lastAdvertiser;
  return { page: 'step', step: run.step, advertiser };
}
