import { ADVERTISER_NAMES, listAdvertisers, type AdvertiserId } from '@app/contracts/advertisers';
import type { AppId } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { t } from '../../words.ts';
import css from './advertiser-choice.module.css';

type Known = RunState['advertisers'][number];

/** An advertiser of a step, and what is known of it; `ok` is undefined until the server has answered. */
export type Offer = Pick<Known, 'id'> & Partial<Known>;

export function listOffers(
  app: AppId,
  step: number,
  known: readonly Known[] = [],
  registered?: readonly AdvertiserId[],
): Offer[] {
  return listAdvertisers(app, step, registered).map((id) => known.find((one) => one.id === id) ?? { id });
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

/**
 * The advertisers of a step, each with its usual minutes and how many of those who left today finished, or that it is
 * down. A choice only changes the step's link.
 */
export function AdvertiserChoice({ offers, chosen, onChoose }: AdvertiserChoiceProps) {
  const isChoice = offers.length > 1;
  const legend = t(isChoice ? 'step.pick' : 'advertiser.legend');
  if (!isChoice)
    return (
      <div className={css.choice} data-needs-script>
        <p className={css.legend}>{legend}</p>
        {offers.map((offer) => (
          <div key={offer.id} className={css.row} data-ok={offer.ok}>
            <Facts {...offer} />
          </div>
        ))}
      </div>
    );

  return (
    <fieldset className={css.choice}>
      <legend className={css.legend}>{legend}</legend>
      {offers.map((offer) => (
        <label key={offer.id} className={css.row} data-ok={offer.ok}>
          <input
            className={css.input}
            type="radio"
            // The address has the choice. After “back” browsers would restore it late, over a newer one.
            autoComplete="off"
            name="advertiser"
            value={offer.id}
            form={STEP_FORM_ID}
            checked={offer.id === chosen}
            disabled={offer.ok === false}
            onChange={() => onChoose(offer.id)}
          />
          <Facts {...offer} />
        </label>
      ))}
    </fieldset>
  );
}

const MINUTE_MS = 60_000;

function Facts({ id, ok, usualMs, finishedPercent }: Offer) {
  return (
    <>
      <span className={css.name}>{ADVERTISER_NAMES[id]}</span>
      {ok === false ? (
        <span className={css.down}>{t('advertiser.down')}</span>
      ) : (
        <>
          <span className={css.minutes}>
            {usualMs !== undefined && t('advertiser.minutes', { minutes: Math.round(usualMs / MINUTE_MS) })}
          </span>
          <span className={css.share}>
            {finishedPercent !== undefined && t('advertiser.finished', { percent: finishedPercent })}
          </span>
        </>
      )}
    </>
  );
}
