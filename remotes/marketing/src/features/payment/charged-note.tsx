import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { t } from '../../words.ts';
import css from './charged-note.module.css';

const [CHAT] = COMMUNITY_LINKS;

/** For who has paid although the payment failed. */
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
