import type { AppId } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { lettersOf } from '@app/design-system/letters';
import { ResultPage } from '@app/design-system/result-page';
import type { ComponentProps } from 'react';
import css from './outcome.module.css';
import { nameOfApp } from './run-address.ts';

interface OutcomeProps extends Omit<ComponentProps<typeof ResultPage>, 'eyebrow'> {
  app: AppId;
  about: AppFacts | undefined;
  /** Whether the server has not told yet what the page has to say: its card stays empty, so that nothing moves. */
  isPending?: boolean;
  /** Whether it comes in place of what the page showed first. */
  arrives?: boolean;
}

/** What a page of a run says where there is no step to do: what happened, and the one thing to do now. */
export function Outcome({ app, about, isPending = false, arrives = false, next, ...page }: OutcomeProps) {
  const name = nameOfApp(app, about);

  return (
    <div className={css.outcome} data-accent={about?.colour} data-pending={isPending} data-arrives={arrives}>
      <ResultPage
        eyebrow={name.trim() && <span data-letters={lettersOf(name)}>{name}</span>}
        {...page}
        next={next && <div className={css.next}>{next}</div>}
      />
    </div>
  );
}
