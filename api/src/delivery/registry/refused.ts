/** Why a publication or a change of channels was not done. Over HTTP it is the error `release.<why>`. */
export interface Refusal {
  outcome: 'refused';
  /**
   * Of a release: it is `invalid`, or its version `exists` with other content. Of a change of channels: the unit or
   * version is `unknown`, the unit is `locked`, the channels are in a state that rules the change out (`impossible`),
   * or the releases that would be served are incompatible (`misfit`).
   */
  why: 'invalid' | 'exists' | 'unknown' | 'locked' | 'impossible' | 'misfit';
  /** A sentence each. */
  problems: string[];
}

export function refuse(why: Refusal['why'], ...problems: string[]): Refusal {
  return { outcome: 'refused', why, problems };
}
