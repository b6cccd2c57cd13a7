import { COMMUNITY_LINKS } from '@app/contracts/brand';
import texts from '@app/design-system/text.module.css';
import { t } from './words.ts';

const [CHAT] = COMMUNITY_LINKS;

/** A question about money, and the link to the community chat, where people answer it. */
export function TicketNote({ question = t('failed.charged') }: { question?: string }) {
  return (
    <p>
      {question}{' '}
      <a className={texts.link} href={CHAT.href} target="_blank" rel="noopener noreferrer">
        {t('ticket.open')}
      </a>
    </p>
  );
}
