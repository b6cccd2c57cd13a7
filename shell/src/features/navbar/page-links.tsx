import { COMPANION } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Link, useLocation } from '@app/platform';
import { isKeyPage, keyStartOf } from '../../key-pages.ts';
import { t } from '../../words.ts';
import css from './page-links.module.css';

/** The products, the shops that sell them, and a key. What comes after it has room in the menu of a small screen only. */
const listPages = (key: string): [to: string, label: string, kind?: string | undefined][] => [
  [PAGES.v5, t('page.v5')],
  [PAGES.neo, t('page.neo')],
  [PAGES.companion, COMPANION.label],
  [PAGES.plans, t('page.plans')],
  [PAGES.resellers, t('page.resellers')],
  [key, t('page.key'), css.key],
  [PAGES.redeem, t('page.redeem')],
  [PAGES.checkKey, t('page.checkKey')],
];

/** @param onFollow called also for the link of the page itself */
export function PageLinks({ onFollow }: { onFollow: () => void }) {
  const { pathname } = useLocation();
  const key = keyStartOf(pathname);
  const isHome = pathname === '/' || pathname === PAGES.home;
  const shown = isKeyPage(pathname) ? key : isHome ? PAGES.v5 : pathname;

  return (
    <ul className={css.links}>
      {listPages(key).map(([to, label, kind = css.link]) => (
        <li key={to}>
          <Link className={kind} to={to} aria-current={to === shown ? 'page' : undefined} onClick={onFollow}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
