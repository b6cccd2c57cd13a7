import css from './next-steps.module.css';

/** What happens next, in short numbered lines. */
export function NextSteps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className={css.steps}>
      {steps.map((step) => (
        <li key={step} className={css.step}>
          {step}
        </li>
      ))}
    </ol>
  );
}
