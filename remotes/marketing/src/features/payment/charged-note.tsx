import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { t } from '../../words.ts';
import css from './charged-note.module.css';

const [CHAT] = COMMUNITY_LINKS;

/** A note for visitors whose payment failed but was charged: a link to the community chat. */
export function ChargedNote() {
  return (
    <p>
      {t('failed.charged')}{' '}
      <a className={css.link} href={CHAT.href} target="_blank" rel="noopener noreferrer">
        {t('failed.ticket')}
      </a>
    </p>
  );
}
