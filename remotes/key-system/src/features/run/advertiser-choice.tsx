import { ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/key-system';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import css from './advertiser-choice.module.css';
import type { Offer } from './choose-advertiser.ts';

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
          <label key={id} className={css.tab} data-ok={ok} data-chosen={id === chosen}>
            <input
              className={css.input}
              type="radio"
              name="advertiser"
              checked={id === chosen}
              disabled={ok === false}
              onChange={() => onChoose(id)}
            />
            <span className={css.name}>{ADVERTISER_NAMES[id]}</span>
            <span className={css.health}>{healthOf(ok)}</span>
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
      <Icon name="external" size={18} />
      <span className={css.name}>{ADVERTISER_NAMES[id]}</span>
      <span className={css.health}>{healthOf(ok)}</span>
    </div>
  );
}

function healthOf(ok: boolean | undefined): string {
  if (ok === undefined) return '';
  return t(ok ? 'advertiser.ok' : 'advertiser.down');
}
