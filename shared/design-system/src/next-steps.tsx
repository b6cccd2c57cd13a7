import css from './next-steps.module.css';

interface NextStepsProps {
  steps: readonly string[];
  /** What comes without the visitor doing anything. */
  facts?: readonly string[];
}

/** What happens next, in short lines: steps with numbers, and facts with ticks, beside which a step needs no number. */
export function NextSteps({ steps, facts = [] }: NextStepsProps) {
  return (
    <ol className={css.steps}>
      {[...steps, ...facts].map((line, index) => (
        <li
          key={line}
          className={css.step}
          data-is={facts.length === 0 ? 'step' : index < steps.length ? 'go' : 'fact'}
        >
          {line}
        </li>
      ))}
    </ol>
  );
}
