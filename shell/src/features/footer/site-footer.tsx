import { COMMUNITY_LINKS, COMPANION, TEAM_PREFIX } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Link, useLocation } from '@app/platform';
import { useId } from 'react';
import { isKeyPage } from '../../key-pages.ts';
import { t } from '../../words.ts';
import { LanguageLinks } from '../../app/language-links.tsx';
import css from './site-footer.module.css';

const [CHAT] = COMMUNITY_LINKS;

/** The end of every page: where else to go. Under a key page it is small, so that the step stays the one thing to do. */
export function SiteFooter() {
  const { pathname } = useLocation();

  return (
    <footer className={css.footer} data-size={isKeyPage(pathname) ? 'small' : 'full'}>
      <div className={css.inside}>
        <div className={css.team}>
          <p className={css.name}>{TEAM_PREFIX}</p>
          <p>{t('footer.text')}</p>
        </div>
        <FooterGroup
          heading={t('footer.apps')}
          links={[
            { label: t('page.v5'), to: PAGES.v5 },
            { label: t('page.neo'), to: PAGES.neo },
            { label: t('page.v3'), to: PAGES.v3 },
            { label: COMPANION.label, to: PAGES.companion },
          ]}
        />
        <FooterGroup
          heading={t('footer.more')}
          links={[
            { label: t('page.plans'), to: PAGES.plans },
            { label: t('page.resellers'), to: PAGES.resellers },
            { label: t('page.encrypter'), to: PAGES.encrypter },
            { label: t('page.developers'), to: PAGES.developers },
          ]}
        />
        <FooterGroup
          heading={t('footer.help')}
          links={[
            { label: t('page.checkKey'), to: PAGES.checkKey },
            { label: t('page.redeem'), to: PAGES.redeem },
            { label: t('footer.support'), href: CHAT.href },
            { label: t('page.status'), to: PAGES.status },
            { label: t('page.privacy'), to: PAGES.privacyPolicy },
          ]}
        />
        <FooterGroup isAside heading={t('footer.community')} links={COMMUNITY_LINKS} />
        <nav className={css.languages} aria-label={t('footer.language')}>
          <LanguageLinks />
        </nav>
      </div>
    </footer>
  );
}

/** A page of the site, or a place elsewhere, which opens beside the site. */
type FooterLink = { label: string } & ({ to: string } | { href: string });

interface FooterGroupProps {
  heading: string;
  links: readonly FooterLink[];
  /** A small line of its own, for places outside the site. */
  isAside?: boolean;
}

function FooterGroup({ heading, links, isAside = false }: FooterGroupProps) {
  const id = useId();

  return (
    <nav className={isAside ? css.aside : css.group} aria-labelledby={id}>
      <p className={css.heading} id={id}>
        {heading}
      </p>
      <ul className={css.links}>
        {links.map((link) => (
          <li key={link.label}>
            {'to' in link ? (
              <Link className={css.link} to={link.to}>
                {link.label}
              </Link>
            ) : (
              <a className={css.link} href={link.href} target="_blank" rel="noopener noreferrer">
                {link.label}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
