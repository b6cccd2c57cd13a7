import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { late } from '../../late.tsx';
import { t } from '../../words.ts';
import css from './merchandise.module.css';

const Hoodie = late(async () => (await import('./hoodie.tsx')).Hoodie);

const SHOP_URL = 'https://shop.arceusx.example/';

/** What one can wear, and the plan that comes with it. */
export function Merchandise() {
  return (
    <section className={css.promo} aria-labelledby="shop-heading" data-app="v5">
      <div className={css.words}>
        <p className={css.eyebrow}>{t('shop.eyebrow')}</p>
        <h2 id="shop-heading">{t('shop.heading')}</h2>
        <p className={css.text}>
          <Icon name="gift" />
          {t('shop.text')}
        </p>
        <a className={buttonClass({ kind: 'quiet' })} href={SHOP_URL} target="_blank" rel="noopener noreferrer">
          {t('shop.visit')}
          <Icon name="external" size={18} />
        </a>
      </div>
      <div className={css.art}>
        <Hoodie />
      </div>
    </section>
  );
}
