import { PAGES } from '@app/contracts/pages';
import { SAMPLE_RESELLERS } from '@app/contracts/resellers';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { Link, useQuery } from '@app/platform';
import { t } from './words.ts';
import { fetchResellers } from './fetch-resellers.ts';
import { ResellerCard } from './reseller-card.tsx';
import css from './reseller-grid.module.css';

/** The keys of the empty cards that reserve space until the list is loaded. */
const PLACES = ['1', '2', '3', '4'];

/** The resellers of V5. When the list cannot be fetched, it shows samples. */
export function ResellerGrid() {
  const { data, status } = useQuery('/api/resellers', fetchResellers, { logFailureAs: 'Failed to fetch resellers' });
  const resellers = status === 'failed' ? SAMPLE_RESELLERS : data;

  return (
    <section id="shops" className={css.shops} aria-labelledby="shops-heading">
      <h2 id="shops-heading">
        <VisuallyHidden>{t('resellers.list')}</VisuallyHidden>
      </h2>
      {resellers?.length === 0 ? (
        <p>{t('resellers.none')}</p>
      ) : (
        <ul className={css.grid} aria-busy={!resellers}>
          {resellers?.map((reseller) => <ResellerCard key={reseller.name} reseller={reseller} />) ??
            PLACES.map((place) => <li key={place} className={css.place} aria-hidden="true" />)}
        </ul>
      )}
      <noscript>
        <p>
          {t('resellers.noScript')}{' '}
          <a className={css.link} href="/api/resellers">
            {t('resellers.plain')}
          </a>
        </p>
      </noscript>
      <p className={css.bought}>
        {t('resellers.bought')}{' '}
        <Link className={css.link} to={PAGES.redeem}>
          {t('resellers.redeem')}
        </Link>
      </p>
    </section>
  );
}
