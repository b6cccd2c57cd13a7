/** Why nothing was done. Over HTTP it is the error `release.<why>`. */
export interface Refused {
  outcome: 'refused';
  /**
   * Of a release: it is `invalid`, or its version `exists` with other content. Of a move: the unit or version is
   * `unknown`, the unit is `locked`, the channels do not stand so that it could be done (`impossible`), or what would be
   * served then does not fit together (`misfit`).
   */
  why: 'invalid' | 'exists' | 'unknown' | 'locked' | 'impossible' | 'misfit';
  /** A sentence each. */
  problems: string[];
}

export function refuse(why: Refused['why'], ...problems: string[]): Refused {
  return { outcome: 'refused', why, problems };
}

/** Refuses a version that was halted as a canary and is not asked for by name and once more. */
export function refuseHalted(unit: string, version: string, reason: string | null): Refused {
  const why = reason === null ? '' : `: ${reason}`;
  return refuse(
    'impossible',
    `${unit}@${version} was halted${why}. Name it with --again if it is to be served all the same`,
  );
}
