import { ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import css from './advertiser-choice.module.css';
import type { Offer } from './choose-advertiser.ts';

/** Without JavaScript the choice is sent with this form (`NoScriptForm`). With it, there is no such form. */
export const FORM = 'begin-step';

interface AdvertiserChoiceProps {
  offers: readonly Offer[];
  /** Undefined when no advertiser can be used. */
  chosen: AdvertiserId | undefined;
  onChoose: (advertiser: AdvertiserId) => void;
}

/**
 * Lets the visitor choose the advertiser of a step and shows which ones can be used. A choice only changes the step's
 * link.
 */
export function AdvertiserChoice({ offers, chosen, onChoose }: AdvertiserChoiceProps) {
  const [only, ...others] = offers;
  if (only && others.length === 0) return <OnlyAdvertiser offer={only} />;

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
              form={FORM}
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

/** Shows the advertiser of a step that offers only one. */
function OnlyAdvertiser({ offer: { id, ok } }: { offer: Offer }) {
  return (
    <div className={css.only} data-ok={ok}>
      <AdvertiserHealth id={id} ok={ok} />
    </div>
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
