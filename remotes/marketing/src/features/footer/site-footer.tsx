import { COMMUNITY_LINKS, TEAM_PREFIX } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Link } from '@app/platform';
import { t } from '../../words.ts';
import css from './site-footer.module.css';

/** The footer: links to other pages and to the community. */
export function SiteFooter() {
  return (
    <footer className={css.footer}>
      <div className={css.inside}>
        <div className={css.team}>
          <p className={css.name}>{TEAM_PREFIX}</p>
          <p>{t('footer.text')}</p>
        </div>
        <nav aria-label={t('footer.pages')}>
          <ul className={css.links}>
            <li>
              <Link className={css.link} to={PAGES.plans}>
                {t('footer.plans')}
              </Link>
            </li>
            <li>
              <Link className={css.link} to={PAGES.resellers}>
                {t('footer.resellers')}
              </Link>
            </li>
            <li>
              <Link className={css.link} to={PAGES.privacyPolicy}>
                {t('footer.privacy')}
              </Link>
            </li>
            <li>
              <Link className={css.link} to={PAGES.developers}>
                {t('footer.developers')}
              </Link>
            </li>
          </ul>
        </nav>
        <nav aria-label={t('footer.community')}>
          <ul className={css.links}>
            {COMMUNITY_LINKS.map(({ id, label, href }) => (
              <li key={id}>
                <a className={css.link} href={href} target="_blank" rel="noopener noreferrer">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
