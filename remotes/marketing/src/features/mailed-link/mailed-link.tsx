import { readPasted } from '@app/contracts/read-pasted';
import { LINK_TOKEN_PATTERN } from '@app/contracts/checkout';
import { Button, buttonClass } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { ApiError, fragmentOf, noteFragment, postJson, useIsHydrated, useLocation, useQuery } from '@app/platform';
import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { NextSteps } from '../../next-steps.tsx';
import { LinkCard } from './link-card.tsx';
import css from './mailed-link.module.css';
import { explainLimit, isOverBy } from './link-errors.ts';
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
  /** The server's page that takes a pasted link. */
  pasteIn: string;
  /** From the mail to the phone, in short lines. */
  steps: readonly string[];
  /** Draws how far the visitor is. */
  art: (is: 'failed' | 'waiting' | 'mail') => ReactNode;
  /** Asks the server what the link would do. It gets the options of the request. */
  read: (request: RequestInit) => Promise<Details>;
  /** Where to get a new link: a link, and a sentence where that needs one. */
  renewal: { action: ReactNode; text?: string };
  children: (link: OpenLink<Details>) => ReactNode;
}

/**
 * A page that a link in a mail leads to. Opening it changes nothing, because programs that check mails for viruses open
 * the links in them. Whether the address has a link is known to the browser alone, so the first render looks at it.
 */
export function MailedLink<Details>({ heading, lead, steps, pasteIn, ...rest }: MailedLinkProps<Details>) {
  return (
    <Page narrow heading={heading} lead={lead} aside={<NextSteps steps={steps} />}>
      <ReadLink {...rest} />
      <PasteLink form={pasteIn} />
    </Page>
  );
}

/**
 * The end of the link does not reach the server, so without JavaScript the visitor pastes it. CSS shows this then, and
 * when the page does not start for long.
 */
function PasteLink({ form }: { form: string }) {
  return (
    <div className={css.paste} hidden={useIsHydrated()}>
      <p>{t('link.paste.why')}</p>
      <a className={buttonClass()} href={form}>
        {t('link.paste')}
      </a>
    </div>
  );
}

type Inside<Details> = Omit<MailedLinkProps<Details>, 'heading' | 'lead' | 'steps' | 'pasteIn'>;

/** Each state is one card, whose elements stay. */
function ReadLink<Details>({ art, read, renewal, children }: Inside<Details>) {
  const token = useLinkToken();
  const [over, setOver] = useState<string>();
  const { status, data, error, isFetching, refetch } = useQuery(token ?? undefined, (signal) =>
    read({ ...postJson({ token }), signal }),
  );

  if (token === null)
    return <LinkCard {...newLink({ art, renewal })} title={t('link.missing')} text={t('link.missing.text')} />;
  if (token !== undefined && (over === token || isOverBy(error)))
    return (
      <LinkCard
        {...newLink({ art, renewal })}
        isAnswer={over === token}
        title={t('link.over')}
        text={t('link.over.text')}
      />
    );
  if (token !== undefined && status === 'ready')
    return <Fragment key={token}>{children({ token, details: data, sayOver: () => setOver(token) })}</Fragment>;
  if (status !== 'failed') return <LinkCard isBusy art={art('waiting')} title={t('link.reading')} />;

  return (
    <LinkCard
      isFailure
      art={art('failed')}
      title={t('link.failed')}
      text={explainLimit(error) ?? t(error instanceof ApiError ? 'link.failed.ours' : 'link.failed.text')}
      actions={
        <Button disabled={isFetching} onClick={refetch}>
          {isFetching ? t('link.sending') : t('link.retry')}
        </Button>
      }
    />
  );
}

/** The card of a link that cannot be used: where to get a new one. */
function newLink({ art, renewal }: Pick<Inside<never>, 'art' | 'renewal'>) {
  return {
    isFailure: true,
    at: 1 as const,
    art: art('mail'),
    actions: renewal.action,
    ...(renewal.text && { before: renewal.text }),
  };
}

/**
 * Reads the token of a link in a mail, takes it out of the address, and keeps it in memory only: not in the browser's
 * history, on no screenshot, and in no request but the body of ours. The history entry only notes that there was one,
 * for visitors who come back to it.
 * @returns null when the address has no complete one, and undefined before hydration
 */
function useLinkToken(): string | null | undefined {
  const location = useLocation();
  const found = tokenIn(location.hash);
  const [token, setToken] = useState(() => found ?? findTaken(location.pathname));
  // The next link of a mail can open in the same tab, without a page load.
  if (found !== null && found !== token) setToken(found);

  useEffect(() => {
    const { hash, pathname, search } = window.location;
    if (!hash) return;

    if (found !== null) noteFragment(pathname, hash);
    const state = history.state as object | null;
    history.replaceState(found === null ? state : { ...state, hadLink: true }, '', pathname + search);
  }, [found, location]);

  return useIsHydrated() ? token : undefined;
}

/** The token that this history entry had. */
function findTaken(pathname: string): string | null {
  const hadLink = typeof history === 'object' && (history.state as { hadLink?: true } | null)?.hadLink;
  return hadLink ? tokenIn(fragmentOf({ pathname, hash: '' })) : null;
}

/** The token in a fragment; null when it has no complete one. */
function tokenIn(fragment: string): string | null {
  const read = readPasted(new URLSearchParams(fragment.slice(1)).get('t') ?? '');
  return LINK_TOKEN_PATTERN.test(read) ? read : null;
}
