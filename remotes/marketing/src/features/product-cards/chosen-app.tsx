import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { Link } from '@app/platform';
import { AnchorLink } from '../../anchor-link.tsx';
import { Art } from '../../art/art.tsx';
import { t } from '../../words.ts';
import css from './chosen-app.module.css';
import type { ProductCard } from './product-cards.ts';

/** A part of the app's screen that the others do not have. */
const ART = { v5: 'v5Explained', neo: 'neoSaved', v3: 'v3Keyboard' } as const;

/**
 * The chosen app: a close look at its screen, how one gets it, and the way there.
 * @param role status once a visitor has chosen, so that screen readers read it
 */
export function ChosenApp({ card, role }: { card: ProductCard; role: 'status' | undefined }) {
  return (
    <div className={css.chosen} data-app={card.accent}>
      <div className={css.words} role={role}>
        <p className={css.title}>{t('choose.chosen', { app: card.title })}</p>
        <ul className={css.facts}>
          {card.highlights.map((highlight) => (
            <li key={highlight} className={css.fact}>
              <Icon name="check" size={18} />
              {highlight}
            </li>
          ))}
        </ul>
        {card.id === 'v5' ? (
          <AnchorLink className={buttonClass({ kind: 'quiet' })} to="downloads">
            {t('choose.v5.get')}
          </AnchorLink>
        ) : (
          <Link className={buttonClass({ kind: 'quiet' })} to={`${card.opens}#downloads`}>
            {t(`choose.${card.id}.get`)}
          </Link>
        )}
      </div>
      <div className={css.place}>
        <Art of={ART[card.id]} />
      </div>
    </div>
  );
}
