import { COMMUNITY_LINKS } from '@app/contracts/brand';
import css from './community-links.module.css';

/** Links to the community's pages on other sites. Each opens in a new tab. */
export function CommunityLinks() {
  return (
    <ul className={css.links}>
      {COMMUNITY_LINKS.map(({ id, label, href }) => (
        <li key={id}>
          <a className={css.link} href={href} target="_blank" rel="noopener noreferrer">
            <span className={css.icon} data-place={id} aria-hidden="true" />
            <span className={css.label}>{label}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
