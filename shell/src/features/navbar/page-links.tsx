import { COMPANION } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Link, useLocation } from '@app/platform';
import { isKeyPage, keyStartOf } from '../../key-pages.ts';
import { t } from '../../words.ts';
import css from './page-links.module.css';

/** The products, and the shops that sell them. */
const listPages = (): { to: string; label: string; paths: readonly string[] }[] => [
  { to: PAGES.v5, label: t('page.v5'), paths: ['/', PAGES.home, PAGES.v5] },
  { to: PAGES.neo, label: t('page.neo'), paths: [PAGES.neo] },
  { to: PAGES.companion, label: COMPANION.label, paths: [PAGES.companion] },
  { to: PAGES.plans, label: t('page.plans'), paths: [PAGES.plans] },
  { to: PAGES.resellers, label: t('page.resellers'), paths: [PAGES.resellers] },
];

/**
 * The way between the products, and to a key. The link of the page that is shown is marked.
 * @param onFollow called when a link is followed, also the one of the page itself
 */
export function PageLinks({ onFollow }: { onFollow: () => void }) {
  const { pathname } = useLocation();

  return (
    <ul className={css.links}>
      {listPages().map(({ to, label, paths }) => (
        <li key={to}>
          <Link className={css.link} to={to} aria-current={currentIf(paths.includes(pathname))} onClick={onFollow}>
            {label}
          </Link>
        </li>
      ))}
      <li>
        <Link
          className={css.key}
          to={keyStartOf(pathname)}
          aria-current={currentIf(isKeyPage(pathname))}
          onClick={onFollow}
        >
          {t('page.key')}
        </Link>
      </li>
    </ul>
  );
}

function currentIf(isCurrent: boolean): 'page' | undefined {
  return isCurrent ? 'page' : undefined;
}
