import { ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import css from './advertiser-choice.module.css';

interface AdvertiserChoiceProps {
  offered: readonly AdvertiserId[];
  chosen: AdvertiserId;
  onChoose: (advertiser: AdvertiserId) => void;
}

/** Which advertiser to go to. Choosing changes the link of the step and nothing else. */
export function AdvertiserChoice({ offered, chosen, onChoose }: AdvertiserChoiceProps) {
  return (
    <fieldset>
      <legend className={css.legend}>{t('advertiser.legend')}</legend>
      <div className={css.tabs}>
        {offered.map((advertiser) => (
          <label key={advertiser} className={css.tab}>
            <input
              className={css.input}
              type="radio"
              name="advertiser"
              checked={advertiser === chosen}
              onChange={() => onChoose(advertiser)}
            />
            <span>{ADVERTISER_NAMES[advertiser]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
