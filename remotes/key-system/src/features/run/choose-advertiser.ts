import { listAdvertisers, type AdvertiserId, type AppId } from '@app/contracts/key-system';

/** An advertiser of a step, and whether it can be used now; `ok` is undefined until the server has answered. */
export interface Offer {
  id: AdvertiserId;
  ok: boolean | undefined;
}

/** The advertisers of a step, the default first. */
export function listOffers(
  app: AppId,
  step: number,
  health: readonly { id: AdvertiserId; ok: boolean }[] = [],
  registered?: readonly AdvertiserId[],
): Offer[] {
  return listAdvertisers(app, step, registered).map((id) => ({ id, ok: health.find((known) => known.id === id)?.ok }));
}

/** The wanted advertiser if it can be used, otherwise the first that can. Undefined when none can be used. */
export function pickUsable(offers: readonly Offer[], wanted: AdvertiserId): AdvertiserId | undefined {
  const usable = offers.filter(({ ok }) => ok !== false);
  return (usable.find(({ id }) => id === wanted) ?? usable[0])?.id;
}
