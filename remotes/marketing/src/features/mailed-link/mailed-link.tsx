import { Button } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { ApiError, postJson, useQuery } from '@app/platform';
import { useState, type ReactNode } from 'react';
import { LinkCard } from './link-card.tsx';
import { explainLimit, isOverBy } from './link-errors.ts';
import { useLinkToken } from './use-link-token.ts';
import { t } from './words.ts';

/** A link that can be used: what it would do, and how to do it. */
export interface OpenLink<Details> {
  token: string;
  details: Details;
  /** Says that the link has been used or has ended. */
  sayOver: () => void;
}

interface MailedLinkProps<Details> {
  heading: string;
  lead: string;
  /** Draws how far the visitor is. */
  art: (is: 'failed' | 'waiting') => ReactNode;
  /** Asks the server what the link would do. It gets the options of the request. */
  read: (request: RequestInit) => Promise<Details>;
  /** Where to get a new link: a link, and a sentence where that needs one. */
  renewal: { action: ReactNode; text?: string };
  children: (link: OpenLink<Details>) => ReactNode;
}

/**
 * A page that a link in a mail leads to. Opening it changes nothing, because programs that check mails for viruses open
 * the links in them.
 */
export function MailedLink<Details>({ heading, lead, ...rest }: MailedLinkProps<Details>) {
  const token = useLinkToken();

  return (
    <Page narrow heading={heading} lead={lead}>
      {token === undefined ? (
        <Reading art={rest.art} />
      ) : token === null ? (
        <NewLink art={rest.art} renewal={rest.renewal} title={t('link.missing')} text={t('link.missing.text')} />
      ) : (
        <ReadLink key={token} token={token} {...rest} />
      )}
    </Page>
  );
}

type Inside<Details> = Omit<MailedLinkProps<Details>, 'heading' | 'lead'>;

function ReadLink<Details>({ token, read, children, ...rest }: Inside<Details> & { token: string }) {
  const [isOver, setIsOver] = useState(false);
  const { status, data, error, isFetching, refetch } = useQuery('link', (signal) =>
    read({ ...postJson({ token }), signal }),
  );

  if (isOver || isOverBy(error))
    return <NewLink {...rest} isAnswer={isOver} title={t('link.over')} text={t('link.over.text')} />;
  if (status === 'ready') return children({ token, details: data, sayOver: () => setIsOver(true) });
  if (status === 'loading') return <Reading art={rest.art} />;

  return (
    <LinkCard
      isFailure
      art={rest.art('failed')}
      title={t('link.failed')}
      text={explainLimit(error) ?? t(error instanceof ApiError ? 'link.failed.ours' : 'link.failed.text')}
      actions={
        <Button aria-disabled={isFetching} onClick={refetch}>
          {isFetching ? t('link.sending') : t('link.retry')}
        </Button>
      }
    />
  );
}

function Reading({ art }: Pick<Inside<never>, 'art'>) {
  return <LinkCard art={art('waiting')} title={t('link.reading')} />;
}

type NewLinkProps = Pick<Inside<never>, 'art' | 'renewal'> & { title: string; text: string; isAnswer?: boolean };

/** A link that cannot be used, and where to get a new one. */
function NewLink({ art, renewal, title, text, isAnswer = false }: NewLinkProps) {
  return (
    <LinkCard
      isFailure
      isAnswer={isAnswer}
      art={art('failed')}
      title={title}
      text={text}
      actions={renewal.action}
      {...(renewal.text && { after: renewal.text })}
    />
  );
}
