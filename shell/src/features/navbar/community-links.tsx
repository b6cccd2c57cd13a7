import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { siDiscord, siGithub, siInstagram, siTiktok, siX, siYoutube } from 'simple-icons';
import css from './community-links.module.css';

/** The marks of the places, drawn in a 24 × 24 box. */
const ICONS = { discord: siDiscord, youtube: siYoutube, tiktok: siTiktok, instagram: siInstagram, x: siX, github: siGithub };

/** The community's places on other sites. Each opens beside this one. */
export function CommunityLinks() {
  return (
    <ul className={css.links}>
      {COMMUNITY_LINKS.map(({ id, label, href }) => (
        <li key={id}>
          <a className={css.link} href={href} target="_blank" rel="noopener noreferrer">
            <svg className={css.icon} viewBox="0 0 24 24" aria-hidden="true">
              <path d={ICONS[id].path} />
            </svg>
            <span className={css.label}>{label}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
