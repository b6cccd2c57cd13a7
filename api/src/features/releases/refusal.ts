/** Ends the reading of a release that cannot be published. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly string[];

  /** @param problems why, a sentence each */
  constructor(...problems: string[]) {
    super(problems.join('. '));
    this.problems = problems;
  }
}
