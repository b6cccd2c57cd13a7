import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { afterFirstPaint } from '@app/platform';
import { useEffect, useState } from 'react';
import type { COMMUNITY_MARKS } from './community-marks.ts';
import css from './community-links.module.css';

/** Links to the community's pages on other sites. Each opens in a new tab. */
export function CommunityLinks() {
  const marks = useMarks();

  return (
    <ul className={css.links}>
      {COMMUNITY_LINKS.map(({ id, label, href }) => (
        <li key={id}>
          <a className={css.link} href={href} target="_blank" rel="noopener noreferrer">
            <svg className={css.icon} viewBox="0 0 24 24" aria-hidden="true">
              <path d={marks?.[id]} />
            </svg>
            <span className={css.label}>{label}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Loads the icons after the first paint. Their space is reserved, so nothing moves when they appear. */
function useMarks() {
  const [marks, setMarks] = useState<typeof COMMUNITY_MARKS>();

  useEffect(() => {
    afterFirstPaint()
      .then(() => import(/* webpackChunkName: "community-marks" */ './community-marks.ts'))
      .then(
        ({ COMMUNITY_MARKS }) => setMarks(COMMUNITY_MARKS),
        () => undefined,
      );
  }, []);

  return marks;
}
