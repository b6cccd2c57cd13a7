import { Icon } from '@app/design-system/icon';
import { fetchInTime } from '@app/platform';
import { useState } from 'react';
import { t } from './words.ts';
import css from './answer.module.css';
import { Code } from './code.tsx';

interface AnswerProps {
  example: object;
  /** The address of a GET call, which visitors can run. */
  path?: string;
}

interface Outcome {
  /** Zero when no answer came. */
  status: number;
  ms: number;
  text: string;
}

/** The example of an answer. With a path, a button asks this site and shows what it answers. */
export function Answer({ example, path }: AnswerProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isRunning, setIsRunning] = useState(false);
  const text = outcome?.text ?? JSON.stringify(example, null, 2);

  async function run(address: string) {
    setIsRunning(true);
    setOutcome(await ask(address));
    setIsRunning(false);
  }

  return (
    <div className={css.answer}>
      <div className={css.bar}>
        <p className={css.state} role="status" data-state={stateOf(outcome)}>
          {describe(outcome)}
        </p>
        {path !== undefined && (
          <button
            type="button"
            className={css.run}
            aria-disabled={isRunning}
            aria-label={t('dev.run.label', { path })}
            onClick={() => void (isRunning || run(path))}
          >
            <Icon name="play" size={18} />
            <span>{isRunning ? t('dev.run.running') : t('dev.run')}</span>
          </button>
        )}
      </div>
      <pre className={css.body} role="region" aria-label={t('dev.answer.label')} tabIndex={0}>
        <code>
          <Code text={text} language="json" />
        </code>
      </pre>
    </div>
  );
}

/** Asks this site, and never rejects. What is no JSON is shown as it is. */
async function ask(path: string): Promise<Outcome> {
  const start = performance.now();
  try {
    return await fetchInTime(path, {}, async (response) => {
      const text = pretty(await response.text());
      return { status: response.status, ms: Math.round(performance.now() - start), text };
    });
  } catch (error) {
    return { status: 0, ms: 0, text: String(error) };
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function describe(outcome: Outcome | undefined): string {
  if (!outcome) return t('dev.answer');
  return outcome.status === 0
    ? t('dev.run.failed')
    : t('dev.run.done', { status: String(outcome.status), ms: outcome.ms });
}

function stateOf(outcome: Outcome | undefined): 'example' | 'ok' | 'refused' {
  if (!outcome) return 'example';
  return outcome.status >= 200 && outcome.status < 300 ? 'ok' : 'refused';
}
