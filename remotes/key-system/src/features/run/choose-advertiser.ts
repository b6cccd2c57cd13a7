import { listAdvertisers, type AdvertiserId, type AppId } from '@app/contracts/key-system';

/** An advertiser of a step, and whether it can be used at the moment; undefined until the server has said so. */
export interface Offer {
  id: AdvertiserId;
  ok: boolean | undefined;
}

/** The advertisers of a step, the default first. */
export function listOffers(
  app: AppId,
  step: number,
  health: readonly { id: AdvertiserId; ok: boolean }[] = [],
): Offer[] {
  return listAdvertisers(app, step).map((id) => ({ id, ok: health.find((known) => known.id === id)?.ok }));
}

/** The wanted advertiser where it can be used, else the first that can; undefined when none can. */
export function pickUsable(offers: readonly Offer[], wanted: AdvertiserId): AdvertiserId | undefined {
  const usable = offers.filter(({ ok }) => ok !== false);
  return (usable.find(({ id }) => id === wanted) ?? usable[0])?.id;
}
