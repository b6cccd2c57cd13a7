import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { Hoodie } from '../../art/art.tsx';
import { Promo } from '../../promo.tsx';
import { t } from '../../words.ts';
import css from './merchandise.module.css';

const SHOP_URL = 'https://shop.arceusx.example/';

export function Merchandise() {
  return (
    <Promo
      id="shop"
      app="v5"
      isArtSmall
      eyebrow={t('shop.eyebrow')}
      heading={t('shop.heading')}
      action={
        <a className={buttonClass({ kind: 'quiet' })} href={SHOP_URL} target="_blank" rel="noopener noreferrer">
          {t('shop.visit')}
          <Icon name="external" size={18} />
        </a>
      }
      art={
        <div className={css.place}>
          <Hoodie className={css.hoodie} />
        </div>
      }
    >
      <Icon name="gift" />
      {t('shop.text')}
    </Promo>
  );
}
