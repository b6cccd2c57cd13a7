import { COMPANION } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Link, useLocation } from '@app/platform';
import { isKeyPage, keyStartOf } from '../../key-pages.ts';
import { t } from '../../words.ts';
import css from './page-links.module.css';

/** The products, and the shops that sell them. */
const LINKS = [
  { to: PAGES.v5, text: 'page.v5', paths: ['/', PAGES.home, PAGES.v5] },
  { to: PAGES.neo, text: 'page.neo', paths: [PAGES.neo] },
  { to: PAGES.companion, text: undefined, paths: [PAGES.companion] },
  { to: PAGES.plans, text: 'page.plans', paths: [PAGES.plans] },
  { to: PAGES.resellers, text: 'page.resellers', paths: [PAGES.resellers] },
] as const satisfies readonly { to: string; text: Parameters<typeof t>[0] | undefined; paths: readonly string[] }[];

/**
 * The way between the products, and to a key. The link of the page that is shown is marked.
 * @param onFollow called when a link is followed, also the one of the page itself
 */
export function PageLinks({ onFollow }: { onFollow: () => void }) {
  const { pathname } = useLocation();

  return (
    <ul className={css.links}>
      {LINKS.map(({ to, text, paths }) => (
        <li key={to}>
          <Link
            className={css.link}
            to={to}
            aria-current={currentIf(paths.some((path) => path === pathname))}
            onClick={onFollow}
          >
            {text ? t(text) : COMPANION.label}
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
