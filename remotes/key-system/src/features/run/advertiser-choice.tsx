import { ADVERTISER_NAMES, listAdvertisers, type AdvertiserId } from '@app/contracts/advertisers';
import type { AppId } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import css from './advertiser-choice.module.css';

/** An advertiser of a step, and whether it can be used now; `ok` is undefined until the server has answered. */
export interface Offer {
  id: AdvertiserId;
  ok: boolean | undefined;
}

export function listOffers(
  app: AppId,
  step: number,
  health: readonly { id: AdvertiserId; ok: boolean }[] = [],
  registered?: readonly AdvertiserId[],
): Offer[] {
  return listAdvertisers(app, step, registered).map((id) => ({ id, ok: health.find((known) => known.id === id)?.ok }));
}

/** The requested advertiser if it can be used, otherwise the first that can. */
export function pickUsable(offers: readonly Offer[], requested: AdvertiserId): AdvertiserId | undefined {
  const usable = offers.filter(({ ok }) => ok !== false);
  return (usable.find(({ id }) => id === requested) ?? usable[0])?.id;
}

/** Without JavaScript the choice is sent with this form (`NoScriptForm`). With it, there is no such form. */
export const STEP_FORM_ID = 'begin-step';

interface AdvertiserChoiceProps {
  offers: readonly Offer[];
  chosen: AdvertiserId | undefined;
  onChoose: (advertiser: AdvertiserId) => void;
}

/** The advertisers of a step, and which of them can be used. A choice only changes the step's link. */
export function AdvertiserChoice({ offers, chosen, onChoose }: AdvertiserChoiceProps) {
  const [first, ...others] = offers;
  if (first && others.length === 0)
    return (
      <div className={css.single} data-needs-script data-ok={first.ok}>
        <AdvertiserHealth {...first} />
      </div>
    );

  return (
    <fieldset className={css.choice}>
      <legend className={css.legend}>{t('advertiser.legend')}</legend>
      <div className={css.tabs}>
        {offers.map(({ id, ok }) => (
          <label key={id} className={css.tab} data-ok={ok}>
            <input
              className={css.input}
              type="radio"
              // The address has the choice. After “back” browsers would restore it late, over a newer one.
              autoComplete="off"
              name="advertiser"
              value={id}
              form={STEP_FORM_ID}
              checked={id === chosen}
              disabled={ok === false}
              onChange={() => onChoose(id)}
            />
            <AdvertiserHealth id={id} ok={ok} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** An advertiser's name with a green dot, or in words that it is down. */
function AdvertiserHealth({ id, ok }: Offer) {
  return (
    <>
      <span className={css.name}>
        <span>{ADVERTISER_NAMES[id]}</span>
        <span className={css.dot} {...(ok && { role: 'img', 'aria-label': t('advertiser.ok') })} />
      </span>
      {ok === false && <span className={css.health}>{t('advertiser.down')}</span>}
    </>
  );
}
