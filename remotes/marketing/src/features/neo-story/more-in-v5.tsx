import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { Link } from '@app/platform';
import { Art } from '../../art/art.tsx';
import { Promo } from '../../promo.tsx';
import { t as common } from '../../words.ts';
import css from './more-in-v5.module.css';
import { t } from './words.ts';

/** The promotion of V5 on the page of NEO: what V5 has and NEO does not. */
export function MoreInV5() {
  return (
    <Promo
      id="more"
      app="v5"
      eyebrow={t('neo.more.eyebrow')}
      heading={t('neo.more.heading')}
      action={
        <Link className={buttonClass({ kind: 'quiet' })} to={`${PAGES.v5}#compare`}>
          {common('action.learnMore')}{' '}
          <VisuallyHidden>{common('choose.about', { app: common('choose.v5.title') })}</VisuallyHidden>
        </Link>
      }
      art={
        <div className={css.place}>
          <Art of="v5Answer" />
        </div>
      }
    >
      {t('neo.more.text')}
    </Promo>
  );
}
